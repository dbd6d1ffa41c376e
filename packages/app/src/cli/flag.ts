/** What a flag is: one value that knows its name, its help and what it does to the invocation. */

import type { Invocation } from "./invocation.ts";

export type FlagCategory = "Model" | "Session" | "Tools" | "Prompt" | "Output" | "Other";

/** What a flag of a subcommand has in common with the general ones. */
export interface CommandFlag {
  /** Without the dashes. */
  readonly name: string;
  readonly short?: string;
  readonly aliases?: readonly string[];
  /** What the value is called in help; absent for a switch. */
  readonly value?: string;
  /** All values there are, where they are few. */
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface Flag extends CommandFlag {
  /** The value may be left out; the next word is taken for it unless that is a flag. */
  readonly isValueOptional?: boolean;
  /** Where it may be left out: whether the next word can be meant as one. Any word unless told. */
  takes?(word: string): boolean;
  readonly category: FlagCategory;
  /** `value` is the empty string for a switch. Throws a UserError of kind "usage" for a bad value. */
  apply(invocation: Invocation, value: string): void;
}
