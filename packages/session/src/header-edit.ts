/** A copy of a session file that differs in its header. */

import type { Fields } from "./entry.ts";
import type { LineEdit } from "./rewrite.ts";
import { readLine } from "./rows.ts";

/** Changes the header and leaves every other line alone. */
export function headerEdit(change: (header: Fields) => Fields): LineEdit {
  let isDone = false;
  return (_line, bytes) => {
    const { fields } = isDone ? {} : readLine(bytes.toString("utf8"), true);
    if (fields?.type !== "session") return undefined;
    isDone = true;
    return JSON.stringify(change(fields));
  };
}
