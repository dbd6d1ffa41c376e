/** Where the model works. Nothing in it changes from turn to turn. */

export interface EnvironmentFacts {
  readonly cwd: string;
  readonly platform: string;
  /** The day on which the session began to work here. */
  readonly date: string;
}

export function environmentSection({ cwd, platform, date }: EnvironmentFacts): string {
  return `Working directory: ${cwd}\nPlatform: ${platform}\nDate: ${date}`;
}

export function treeSection(lines: readonly string[]): string {
  return lines.length === 0 ? "" : ["Files, two levels:", ...lines].join("\n");
}
