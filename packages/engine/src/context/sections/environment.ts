/** The section that tells the model where it works. Nothing in it changes from turn to turn. */

export interface EnvironmentFacts {
  readonly cwd: string;
  readonly platform: string;
}

export function environmentSection({ cwd, platform }: EnvironmentFacts): string {
  return `Working directory: ${cwd}\nPlatform: ${platform}`;
}
