/** Every subcommand. */

import type { CliCommand } from "../command.ts";
import { demo } from "./demo.ts";

export const commands: readonly CliCommand[] = [demo];
