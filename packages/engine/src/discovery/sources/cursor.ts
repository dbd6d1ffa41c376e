/** Cursor, with the single file of its older releases. */

import { file, files, type Source } from "../source.ts";

export const cursor: Source = {
  id: "cursor",
  name: "Cursor",
  priority: 50,
  spots: {
    rule: [
      files("cwd", ".cursor/rules", [".md", ".mdc"]),
      file("cwd", ".cursorrules", { name: "cursorrules" }),
      files("home", ".cursor/rules", [".md", ".mdc"]),
    ],
    "mcp-server": [file("cwd", ".cursor/mcp.json"), file("home", ".cursor/mcp.json")],
  },
};
