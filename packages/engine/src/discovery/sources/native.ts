/** omp's own files: `.omp` in the project, `~/.omp/agent` of the person. The project stands first. */

import { file, files, folders, listed, type Source } from "../source.ts";
import { hooks, promptFiles, skills, tools } from "./family.ts";

const MD = [".md"];
const RULES = [".md", ".mdc"];
const CODE = [".ts", ".js"];
const INDEX = ["index.ts", "index.js", "package.json"];
const MANIFEST = ["gemini-extension.json"];
const described = { description: "required" };
const sticky = { name: "RULES", applies: "always" };

export const native: Source = {
  id: "native",
  name: "omp",
  priority: 100,
  spots: {
    "context-file": [file("own", "AGENTS.md"), file("agent", "AGENTS.md")],
    "slash-command": [files("cwd", ".omp/commands", MD), files("agent", "commands", MD)],
    prompt: [files("cwd", ".omp/prompts", MD), files("agent", "prompts", MD)],
    instruction: [files("cwd", ".omp/instructions", MD), files("agent", "instructions", MD)],
    rule: [
      files("cwd", ".omp/rules", RULES),
      file("cwd", ".omp/RULES.md", sticky),
      files("agent", "rules", RULES),
      file("agent", "RULES.md", sticky),
    ],
    skill: [
      { ...skills("upward", ".omp/skills"), says: described },
      { ...skills("agent", "skills"), says: described },
    ],
    hook: [...hooks("cwd", ".omp/hooks"), ...hooks("agent", "hooks")],
    tool: [...tools("cwd", ".omp/tools"), ...tools("agent", "tools")],
    "extension-module": [
      files("cwd", ".omp/extensions", CODE),
      folders("cwd", ".omp/extensions", INDEX),
      listed("cwd", ".omp/settings.json", "extensions"),
      files("agent", "extensions", CODE),
      folders("agent", "extensions", INDEX),
      listed("agent", "settings.json", "extensions"),
    ],
    extension: [
      folders("cwd", ".omp/extensions", MANIFEST),
      folders("agent", "extensions", MANIFEST),
    ],
    "mcp-server": [
      file("cwd", ".omp/mcp.json"),
      file("cwd", ".omp/.mcp.json"),
      file("agent", "mcp.json"),
      file("agent", ".mcp.json"),
    ],
    // The stronger file first.
    settings: [
      file("cwd", ".omp/config.yml"),
      file("cwd", ".omp/settings.json"),
      file("agent", "config.yml"),
      file("agent", "settings.json"),
    ],
    "system-prompt": promptFiles(["cwd", ".omp/"], ["agent", ""]),
  },
};
