/** What the check says about a file. */

export interface Violation {
  readonly file: string;
  readonly line?: number;
  readonly rule: string;
  readonly detail: string;
}

export function describe({ file, line, rule, detail }: Violation): string {
  return `${line === undefined ? file : `${file}:${line}`}: ${rule}: ${detail}`;
}
