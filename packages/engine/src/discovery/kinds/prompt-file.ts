/** `SYSTEM.md`, `APPEND_SYSTEM.md` and `TITLE_SYSTEM.md`: the first that says something counts. */

import type { PromptFile } from "../item.ts";
import { itemOf, type Kind } from "../kind.ts";

export const promptFile: Kind<PromptFile> = {
  isProjectFirst: true,
  key: ({ name }) => name,
  read(found, reader) {
    const text = reader.text(found.path).trim();
    return text === "" ? [] : [{ ...itemOf(found), text }];
  },
};
