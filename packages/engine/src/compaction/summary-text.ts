/** The text that stands for the old conversation: the summary, and what we put behind it. Pure. */

import { fieldsOf, isRecord, type SessionEntry } from "@omp/session";
import type { Pin } from "../protocol/commands/compaction.ts";
import { fileBlocks, type FilesTouched } from "./files-touched.ts";

/** Where the whole of the old conversation can be read. */
const HISTORY =
  "The messages before this are kept. Read `history://` for a list of them and `history://<id>` for one.";

export function summaryText(bare: string, pins: readonly Pin[], files: FilesTouched): string {
  const pinned =
    pins.length === 0
      ? []
      : [`The person wants these texts kept word for word:\n\n${pins.map(pinBlock).join("\n")}`];
  return [bare, ...pinned, HISTORY, fileBlocks(files)].join("\n\n");
}

function pinBlock({ entryId, text }: Pin): string {
  return `<pinned id="${entryId}">\n${text}\n</pinned>`;
}

/** The blocks that files of other programs end with. */
const FILE_BLOCKS =
  /\n*<read-files>[^]*<\/read-files>\s*<modified-files>[^]*<\/modified-files>\s*$/;

/** What was summarized, without what we put behind it: that is made anew each time. */
export function bareSummary(compaction: SessionEntry): string {
  const { summary, details } = fieldsOf(compaction);
  const text = typeof summary === "string" ? summary : "";
  const length = isRecord(details) ? details.bareLength : undefined;
  return typeof length === "number" ? text.slice(0, length) : text.replace(FILE_BLOCKS, "");
}
