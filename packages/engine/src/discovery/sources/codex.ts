/** Codex. Its commands may be named by their front matter, and the person's own count first. */

import { file, files, type Source } from "../source.ts";
import { hooks, promptFiles, skills, tools } from "./family.ts";

const MD = [".md"];
const named = { naming: "front-matter" };
const servers = { field: "mcp_servers" };

export const codex: Source = {
  id: "codex",
  name: "Codex",
  priority: 70,
  spots: {
    "context-file": [file("home", ".codex/AGENTS.md")],
    "slash-command": [
      files("home", ".codex/commands", MD, named),
      files("cwd", ".codex/commands", MD, named),
    ],
    skill: [skills("cwd", ".codex/skills"), skills("home", ".codex/skills")],
    hook: [...hooks("cwd", ".codex/hooks"), ...hooks("home", ".codex/hooks")],
    tool: [...tools("cwd", ".codex/tools"), ...tools("home", ".codex/tools")],
    "mcp-server": [
      file("cwd", ".codex/config.toml", servers),
      file("home", ".codex/config.toml", servers),
    ],
    "system-prompt": promptFiles(["cwd", ".codex/"], ["home", ".codex/"]),
  },
};
