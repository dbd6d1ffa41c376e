/** Every wire command by name. */

import type { WireTable } from "./command.ts";
import { modelCommands } from "./model.ts";
import { runCommands } from "./run.ts";
import { sessionCommands } from "./session.ts";
import { stateCommands } from "./state.ts";

export const wireCommands: WireTable = {
  ...runCommands,
  ...stateCommands,
  ...modelCommands,
  ...sessionCommands,
};
