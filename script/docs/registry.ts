/** Every generated reference. */

import { commands } from "./commands.ts";
import type { Document } from "./document.ts";
import { flags } from "./flags.ts";
import { configSchema, settings } from "./settings.ts";
import { slashCommands } from "./slash-commands.ts";
import { tools } from "./tools.ts";

export const documents: readonly Document[] = [
  settings,
  configSchema,
  flags,
  commands,
  slashCommands,
  tools,
];
