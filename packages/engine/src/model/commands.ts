/** The names of the model commands, apart from what runs them: that is loaded with the first one. */

import type { ModelCommands } from "../protocol/commands/model.ts";

/** A record, so that a missing name does not compile. */
const NAMES: Readonly<Record<keyof ModelCommands, true>> = {
  set_model: true,
  cycle_model: true,
  list_models: true,
  set_thinking_level: true,
  cycle_thinking_level: true,
};

export const modelCommands = Object.keys(NAMES) as readonly (keyof ModelCommands)[];
