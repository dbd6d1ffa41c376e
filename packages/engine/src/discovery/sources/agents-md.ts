/** `AGENTS.md` in the project itself, and in the folders above. */

import { file, type Source } from "../source.ts";

export const agentsMd: Source = {
  id: "agents-md",
  name: "AGENTS.md",
  priority: 10,
  spots: { "context-file": [file("open", "AGENTS.md")] },
};
