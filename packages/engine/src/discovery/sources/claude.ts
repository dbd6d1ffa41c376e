/** Claude Code. Of two commands of a name the person's own counts, as there. */

import { file, files, type Source } from "../source.ts";
import { hooks, promptFiles, skills, tools } from "./family.ts";

const MD = [".md"];

export const claude: Source = {
  id: "claude",
  name: "Claude Code",
  priority: 80,
  spots: {
    "context-file": [file("cwd", ".claude/CLAUDE.md"), file("home", ".claude/CLAUDE.md")],
    "slash-command": [files("home", ".claude/commands", MD), files("cwd", ".claude/commands", MD)],
    skill: [skills("cwd", ".claude/skills"), skills("home", ".claude/skills")],
    hook: [...hooks("cwd", ".claude/hooks"), ...hooks("home", ".claude/hooks")],
    tool: [...tools("cwd", ".claude/tools"), ...tools("home", ".claude/tools")],
    "mcp-server": [file("cwd", ".claude/mcp.json"), file("home", ".claude.json")],
    settings: [file("cwd", ".claude/settings.json"), file("home", ".claude/settings.json")],
    "system-prompt": promptFiles(["cwd", ".claude/"], ["home", ".claude/"]),
  },
};
