/** What a flag is: one value that knows its name, its help and what it does to the invocation. */

import type { Invocation } from "./invocation.ts";

export type FlagCategory = "Model" | "Session" | "Tools" | "Prompt" | "Output" | "Other";

export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  readonly short?: string;
  readonly aliases?: readonly string[];
  /** What the value is called in help; absent for a switch. */
  readonly value?: string;
  readonly category: FlagCategory;
  readonly help: string;
  /** `value` is the empty string for a switch. Throws a UserError of kind "usage" for a bad value. */
  apply(invocation: Invocation, value: string): void;
}
