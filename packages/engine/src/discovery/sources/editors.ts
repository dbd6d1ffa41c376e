/** Editors with agents of their own: their rules and servers. */

import { file, files, type Source } from "../source.ts";

const RULES = [".md", ".mdc"];

export const cursor: Source = {
  id: "cursor",
  name: "Cursor",
  priority: 50,
  spots: {
    rule: [
      files("cwd", ".cursor/rules", RULES),
      file("cwd", ".cursorrules", { name: "cursorrules" }),
      files("home", ".cursor/rules", RULES),
    ],
    "mcp-server": [file("cwd", ".cursor/mcp.json"), file("home", ".cursor/mcp.json")],
  },
};

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

/** Its rules are a folder, or one file. */
export const cline: Source = {
  id: "cline",
  name: "Cline",
  priority: 40,
  spots: { rule: [files("nearest", ".clinerules", [".md"], { name: "clinerules" })] },
};

export const vscode: Source = {
  id: "vscode",
  name: "VS Code",
  priority: 20,
  spots: { "mcp-server": [file("cwd", ".vscode/mcp.json", { field: "servers" })] },
};
