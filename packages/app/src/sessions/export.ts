/** `omp --export`: a page of a session file; no session is opened and no model asked. */

import { exportSession } from "@omp/engine/boot";
import { UserError } from "@omp/std";
import type { CommandRun } from "../cli/command.ts";
import { createOutput } from "../headless/output.ts";

export const runExport: CommandRun = async (invocation, { startedIn, home, environment }) => {
  const { exportFile: input = "", messages } = invocation;
  const [output, spare] = messages;
  if (spare !== undefined) {
    throw new UserError(
      "usage",
      `--export takes a session file and a page, not "${spare}" as well`,
    );
  }
  const path = await exportSession({ input, output, cwd: startedIn, home, environment });
  const stdout = createOutput(() => {});
  stdout.write(`Exported to: ${path}\n`);
  await stdout.flush();
  return 0;
};
