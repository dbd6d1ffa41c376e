/** docs/reference/slash-commands.md: every slash command that needs no screen. */

import { code, page, table, type Document } from "./document.ts";

export const slashCommands: Document = {
  file: "slash-commands.md",
  async render() {
    const { builtInCommands } = await import("../../packages/engine/src/commands/registry.ts");
    const rows = builtInCommands.map(({ name, argumentHint, description }) => [
      code(argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`),
      description,
    ]);
    return page("Slash commands", "packages/engine/src/commands", [
      "They work in every front end, also as prompts of `omp -p`. Files `commands/*.md` add more: see below.",
      table(["Command", "Meaning"], rows),
      "## Commands of your own",
      [
        "`~/.omp/agent/commands/<name>.md` is `/<name>`; in a folder that you trust `.omp/commands/<name>.md` wins over it.",
        "The text of the file is sent to the model. `$1`, `$2` are arguments, `$@[2]` and `$@[2:3]` some of them,",
        "`$ARGUMENTS`, `$@` and `{{ARGUMENTS}}` all of them as typed. `description` in the front matter is shown in lists.",
      ].join("\n"),
    ]);
  },
};
