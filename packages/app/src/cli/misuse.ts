/** A subcommand that was called wrongly: what is wrong, then how it is called. Exit code 1, as of any failed command. */

import { UserError } from "@omp/std";
import type { CliCommand } from "./command.ts";

export function misuse({ usage }: Pick<CliCommand, "usage">, text: string): UserError {
  return new UserError("bad-input", `${text}\nUsage: ${usage}`);
}
