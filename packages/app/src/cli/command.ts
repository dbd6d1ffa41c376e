/** What a subcommand is. What describes it is static; what runs it is loaded when it is called. */

import type { CommandFlag } from "./flag.ts";
import type { Invocation } from "./invocation.ts";
import type { Timing } from "../timing.ts";

export interface Surroundings {
  /** Where omp works. Exists. */
  readonly cwd: string;
  /** Where it was started, or what --cwd says: paths on the command line count from here. */
  readonly startedIn: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timing: Timing;
}

/** @returns the exit code */
export type CommandRun = (invocation: Invocation, surroundings: Surroundings) => Promise<number>;

export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  /** What each form of it does, for its help: words to meaning. */
  readonly forms?: readonly (readonly [words: string, meaning: string])[];
  /** Its own flags, beside the general ones. Their values are in `Invocation.options`. */
  readonly flags?: readonly CommandFlag[];
  /** How many words it takes after its name. None unless given. */
  readonly maxWords?: number;
  load(): Promise<CommandRun>;
}
