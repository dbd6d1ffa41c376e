/** docs/reference/commands.md: every subcommand of the program. */

import { code, page, table, type Document } from "./document.ts";

export const commands: Document = {
  file: "commands.md",
  async render() {
    const { commands: all } = await import("../../packages/app/src/cli/commands/registry.ts");
    const rows = all.map(({ usage, summary }) => [code(usage), summary]);
    return page("Commands", "packages/app/src/cli/commands", [
      "Without a command `omp` starts the agent; its flags are in [flags.md](flags.md).",
      table(["Command", "Meaning"], rows),
    ]);
  },
};
