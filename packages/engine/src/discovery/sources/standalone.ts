/** Files that belong to no tool's folder: they stand in the project itself. */

import { file, type Source } from "../source.ts";

export const agentsMd: Source = {
  id: "agents-md",
  name: "AGENTS.md",
  priority: 10,
  spots: { "context-file": [file("open", "AGENTS.md")] },
};

export const claudeMd: Source = {
  id: "claude-md",
  name: "CLAUDE.md",
  priority: 10,
  spots: { "context-file": [file("open", "CLAUDE.md")] },
};

export const mcpJson: Source = {
  id: "mcp-json",
  name: "mcp.json",
  priority: 5,
  spots: { "mcp-server": [file("cwd", "mcp.json"), file("cwd", ".mcp.json")] },
};
