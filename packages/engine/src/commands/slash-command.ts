/** What a slash command is: built in, from a file, or brought by an extension, all of one shape. */

import type { UiNotice } from "@omp/agent";
import type { CommandOf, CommandType, ResultOf } from "../protocol/command.ts";
import type { Snapshot } from "../protocol/snapshot.ts";

/** All that a slash command may ask of the house. */
export interface CommandPort {
  dispatch<Type extends CommandType>(command: CommandOf<Type>): Promise<ResultOf<Type>>;
  /** Progress and warnings while it works; what it has to say in the end is its result. */
  tell(notice: UiNotice): void;
  snapshot(): Snapshot;
}

export type CommandResult =
  /** It did it all: the model is not asked. */
  | { readonly kind: "done"; readonly text?: string }
  /** This goes to the model instead of what was typed. It may begin with `/` again. */
  | { readonly kind: "prompt"; readonly text: string };

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** What may follow the name, for help. */
  readonly argumentHint?: string;
  /** `args` is the text after the name, as it was typed. Throws a UserError for the person. */
  run(args: string, port: CommandPort): Promise<CommandResult>;
}

/** Slash commands that somebody brings: an extension, a module of the person's own. */
export interface CommandSource {
  /** Extensions are asked first and work during a run; custom ones may replace the prompt. */
  readonly kind: "extension" | "custom";
  /** Where they come from, in words, for lists. */
  readonly label: string;
  commands(): Promise<readonly SlashCommand[]>;
}

export function done(text?: string): CommandResult {
  return text === undefined ? { kind: "done" } : { kind: "done", text };
}
