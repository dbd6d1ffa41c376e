/** Gemini CLI. */

import { file, folders, type Source } from "../source.ts";
import { promptFiles, skills } from "./family.ts";

const MANIFEST = ["gemini-extension.json"];

export const gemini: Source = {
  id: "gemini",
  name: "Gemini CLI",
  priority: 60,
  spots: {
    "context-file": [file("cwd", ".gemini/GEMINI.md"), file("home", ".gemini/GEMINI.md")],
    skill: [skills("cwd", ".gemini/skills"), skills("home", ".gemini/skills")],
    extension: [
      folders("cwd", ".gemini/extensions", MANIFEST),
      folders("home", ".gemini/extensions", MANIFEST),
    ],
    "mcp-server": [file("cwd", ".gemini/settings.json"), file("home", ".gemini/settings.json")],
    "system-prompt": promptFiles(["cwd", ".gemini/"], ["home", ".gemini/"]),
  },
};
