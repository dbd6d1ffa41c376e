/** What a subcommand is. What describes it is static; what runs it is loaded when it is called. */

import type { Invocation } from "./invocation.ts";

export interface Surroundings {
  /** Where omp was started, or what --cwd says. Exists. */
  readonly cwd: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @returns the exit code */
export type CommandRun = (invocation: Invocation, surroundings: Surroundings) => Promise<number>;

export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  load(): Promise<CommandRun>;
}
