/** Every subcommand. */

import type { CliCommand } from "../command.ts";
import { demo } from "./demo.ts";
import { models } from "./models.ts";

export const commands: readonly CliCommand[] = [demo, models];
