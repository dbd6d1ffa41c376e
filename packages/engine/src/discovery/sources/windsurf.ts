/** Windsurf, with the single file of its older releases. */

import { file, files, type Source } from "../source.ts";

export const windsurf: Source = {
  id: "windsurf",
  name: "Windsurf",
  priority: 50,
  spots: {
    rule: [
      files("cwd", ".windsurf/rules", [".md"]),
      file("cwd", ".windsurfrules", { name: "windsurfrules" }),
      file("home", ".codeium/windsurf/memories/global_rules.md", { name: "global_rules" }),
    ],
    "mcp-server": [file("home", ".codeium/windsurf/mcp_config.json")],
  },
};
