/** GitHub Copilot. */

import { file, files, type Source } from "../source.ts";

export const github: Source = {
  id: "github",
  name: "GitHub Copilot",
  priority: 30,
  spots: {
    "context-file": [file("cwd", ".github/copilot-instructions.md")],
    instruction: [files("cwd", ".github/instructions", [".instructions.md"])],
  },
};
