/** A copy of a session file that differs in its header. */

import type { Fields } from "./entry.ts";
import type { LineEdit } from "./rewrite.ts";
import { readLine } from "./rows.ts";

/** Changes the header and leaves every other line alone. What else is in its line stays there, too. */
export function headerEdit(change: (header: Fields) => Fields): LineEdit {
  let isDone = false;
  return (_line, bytes) => {
    if (isDone) return undefined;
    const text = bytes.toString("utf8");
    const { objects, isAlone } = readLine(text, true);
    const header = objects.find(({ type }) => type === "session");
    if (!header) return undefined;
    isDone = true;
    const changed = JSON.stringify(change(header));
    // Of two headers the first counts.
    return isAlone ? changed : Buffer.concat([Buffer.from(`${changed}\n`), bytes]);
  };
}
