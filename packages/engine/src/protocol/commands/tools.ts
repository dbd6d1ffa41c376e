/** Commands about tools that the front end brings along, and the list of slash commands. */

import type { Asks } from "../asks.ts";

/** A tool that runs in the program that drives us. */
export interface HostToolSpec {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface SlashCommandInfo {
  readonly name: string;
  readonly description: string;
  /** Where it comes from, in words: `built in`, `user`, `project`, ... */
  readonly source: string;
  /** What may follow the name, for help. */
  readonly argumentHint?: string;
}

export interface ToolCommands {
  /** Replaces all tools of the front end; in force before the next request. Answers with their names. */
  set_host_tools: Asks<{ readonly tools: readonly HostToolSpec[] }, readonly string[]>;
  list_slash_commands: Asks<object, readonly SlashCommandInfo[]>;
}
