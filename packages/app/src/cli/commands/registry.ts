/** Every subcommand. */

import type { CliCommand } from "../command.ts";
import { completions } from "./completions.ts";
import { config } from "./config.ts";
import { context } from "./context.ts";
import { demo } from "./demo.ts";
import { models } from "./models.ts";
import { sessions } from "./sessions.ts";
import { trust } from "./trust.ts";

export const commands: readonly CliCommand[] = [
  demo,
  models,
  sessions,
  context,
  config,
  trust,
  completions,
];
