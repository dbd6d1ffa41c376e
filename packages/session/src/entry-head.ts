/** The place of an entry in the tree, from the first bytes of its line. */

import type { EntryFields } from "./entry.ts";

export interface EntryHead extends EntryFields {
  readonly type: string;
}

const MOST_BYTES = 224;
/** As we write it, and those before us did. Any other form is left to the real parser. */
const HEAD =
  /^\{"type":"([a-z_]{1,40})","id":"([!#-[\]-~]{1,40})","parentId":(?:null|"([!#-[\]-~]{1,40})"),"timestamp":"([!#-[\]-~]{1,40})"[,}]/;

export function entryHead(bytes: Buffer): EntryHead | undefined {
  const match = HEAD.exec(bytes.toString("latin1", 0, Math.min(bytes.length, MOST_BYTES)));
  if (!match) return undefined;
  const [, type = "", id = "", parentId = null, timestamp = ""] = match;
  if (type === "session" || type === "title") return undefined;
  return { type, id, parentId, timestamp };
}
