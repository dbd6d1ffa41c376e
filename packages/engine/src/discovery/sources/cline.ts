/** Cline: the nearest `.clinerules`, a folder or one file. */

import { files, type Source } from "../source.ts";

export const cline: Source = {
  id: "cline",
  name: "Cline",
  priority: 40,
  spots: { rule: [files("nearest", ".clinerules", [".md"], { name: "clinerules" })] },
};
