/** Plugins that Claude Code has installed, in the order of its list. */

import { file, files, type Source } from "../source.ts";
import { skills, tools } from "./family.ts";

export const claudePlugins: Source = {
  id: "claude-plugins",
  name: "Claude Code plugins",
  priority: 70,
  spots: {
    "slash-command": [files("plugins", "commands", [".md"])],
    skill: [skills("plugins", "skills")],
    tool: tools("plugins", "tools"),
    "mcp-server": [file("plugins", ".mcp.json")],
  },
};
