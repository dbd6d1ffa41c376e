/** What an entry is to a compaction: where a turn starts, where a cut may be, what the model sees of it. Pure. */

import type { Message } from "@omp/ai/schema";
import { asMessage, contextOf, fieldsOf, isRecord, type SessionEntry } from "@omp/session";

const TURN_STARTS: ReadonlySet<string> = new Set(["user", "bashExecution"]);
const CUTS: ReadonlySet<string> = new Set([
  ...TURN_STARTS,
  "assistant",
  "hookMessage",
  "branchSummary",
  "compactionSummary",
]);

/** The role of a message entry; undefined for every other entry. */
export function roleOf(entry: SessionEntry): string | undefined {
  if (entry.type !== "message") return undefined;
  const { message } = fieldsOf(entry);
  return isRecord(message) && typeof message.role === "string" ? message.role : undefined;
}

export function isCompaction(entry: SessionEntry): boolean {
  return entry.type === "compaction" && typeof fieldsOf(entry).summary === "string";
}

/** Whether a person, or something in a person's place, begins something here. */
export function isTurnStart(entry: SessionEntry): boolean {
  if (entry.type === "custom_message" || entry.type === "branch_summary") return true;
  const role = roleOf(entry);
  return role !== undefined && TURN_STARTS.has(role);
}

export function isCut(entry: SessionEntry): boolean {
  if (entry.type === "custom_message" || entry.type === "branch_summary") return true;
  const role = roleOf(entry);
  // An answer that is not sent again is nothing to begin with.
  return role !== undefined && CUTS.has(role) && !isFailedAnswer(entry);
}

/** Such an answer is in the file, and no model sees it. */
export function isFailedAnswer(entry: SessionEntry): boolean {
  const { message } = entry.type === "message" ? fieldsOf(entry) : {};
  if (!isRecord(message) || message.role !== "assistant") return false;
  return message.stopReason === "error" || message.stopReason === "aborted";
}

/** Entries that say nothing themselves: what was chosen, labels, marks. */
export function isMetadata(entry: SessionEntry): boolean {
  switch (entry.type) {
    case "message":
    case "custom_message":
    case "branch_summary":
    case "compaction":
      return false;
    default:
      return true;
  }
}

/** The message as it is stored, without the rules about what can be sent again. */
export function messageOf(entry: SessionEntry): Message | undefined {
  if (entry.type === "message") {
    const { message } = fieldsOf(entry);
    return isRecord(message) ? asMessage(message, Date.parse(entry.timestamp) || 0) : undefined;
  }
  return isMetadata(entry) || entry.type === "compaction"
    ? undefined
    : contextOf([entry]).messages[0];
}
