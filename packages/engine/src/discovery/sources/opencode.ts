/** OpenCode. Its commands may be named by their front matter, and the person's own count first. */

import { file, files, type Source } from "../source.ts";
import { skills } from "./family.ts";

const MD = [".md"];
const named = { naming: "front-matter" };
const servers = { field: "mcp" };

export const opencode: Source = {
  id: "opencode",
  name: "OpenCode",
  priority: 55,
  spots: {
    "context-file": [file("home", ".config/opencode/AGENTS.md")],
    "slash-command": [
      files("home", ".config/opencode/commands", MD, named),
      files("cwd", ".opencode/commands", MD, named),
    ],
    skill: [skills("cwd", ".opencode/skills"), skills("home", ".config/opencode/skills")],
    "mcp-server": [
      file("cwd", "opencode.json", servers),
      file("home", ".config/opencode/opencode.json", servers),
    ],
  },
};
