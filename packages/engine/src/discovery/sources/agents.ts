/** The folders that several agents share: `.agents`, or `.agent`. */

import { file, type Source } from "../source.ts";
import { skills } from "./family.ts";

export const agents: Source = {
  id: "agents",
  name: "Agents",
  priority: 70,
  spots: {
    "context-file": [
      file("cwd", ".agents/AGENTS.md"),
      file("cwd", ".agent/AGENTS.md"),
      file("home", ".agents/AGENTS.md"),
      file("home", ".agent/AGENTS.md"),
    ],
    skill: [
      skills("upward", ".agents/skills"),
      skills("upward", ".agent/skills"),
      skills("home", ".agents/skills"),
      skills("home", ".agent/skills"),
    ],
  },
};
