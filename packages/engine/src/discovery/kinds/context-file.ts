/** Instructions for the model: `AGENTS.md` and its like. */

import type { ContextFile } from "../item.ts";
import { itemOf, type Kind } from "../kind.ts";

/** One of the person, and one of each folder of the project. An empty file hides nothing. */
export const contextFile: Kind<ContextFile> = {
  key: ({ level, folder }) => (level === "user" ? "user" : `project:${folder}`),
  read(found, reader) {
    const text = reader.text(found.path);
    return text.trim() === "" ? [] : [{ ...itemOf(found), folder: found.folder, text }];
  },
};
