/** `CLAUDE.md` in the project itself, and in the folders above. */

import { file, type Source } from "../source.ts";

export const claudeMd: Source = {
  id: "claude-md",
  name: "CLAUDE.md",
  priority: 10,
  spots: { "context-file": [file("open", "CLAUDE.md")] },
};
