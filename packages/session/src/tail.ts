/** How a session ended, from the last bytes of its file. Pure. */

import { isRecord, type Fields } from "./entry.ts";
import { objectIn } from "./rows.ts";
import type { SessionStatus } from "./summary.ts";

/** What is read of a file for its status; more only when the last lines are longer. */
export const TAIL_BYTES = 32 * 1024;
export const MAX_TAIL_BYTES = 1024 * 1024;

/**
 * The status of the branch that ends at the last entry. Undefined when it is decided before these
 * bytes; `isWhole` says that nothing is before them.
 */
export function statusIn(bytes: Uint8Array, isWhole: boolean): SessionStatus | undefined {
  const entries = new Map<string, Fields>();
  let at: Fields | undefined;
  for (const entry of entriesIn(bytes, isWhole)) {
    if (typeof entry.id === "string") entries.set(entry.id, entry);
    at = entry;
  }
  for (let hops = 0; at && hops <= entries.size; hops++) {
    const status = statusOf(at);
    if (status) return status;
    if (typeof at.parentId !== "string")
      return at.parentId === null || isWhole ? "unknown" : undefined;
    at = entries.get(at.parentId);
  }
  return isWhole ? "unknown" : undefined;
}

function* entriesIn(bytes: Uint8Array, isWhole: boolean): Generator<Fields> {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("utf8")
    .split("\n");
  for (const [index, line] of lines.entries()) {
    // The first line began before these bytes.
    if ((index === 0 && !isWhole) || line === "") continue;
    const entry = objectIn(line);
    if (entry && entry.type !== "session" && entry.type !== "title") yield entry;
  }
}

/** What an entry says about the branch that ends with it; undefined where only the one before does. */
function statusOf({ type, message }: Fields): SessionStatus | undefined {
  if (type !== "message" || !isRecord(message)) return undefined;
  switch (message.role) {
    case "user":
      return "pending";
    case "toolResult":
      return "interrupted";
    case "assistant":
      return answerStatus(message.stopReason);
    default:
      return undefined;
  }
}

function answerStatus(stopReason: unknown): SessionStatus {
  switch (stopReason) {
    case "stop":
    case "length":
      return "complete";
    case "toolUse":
      return "interrupted";
    case "aborted":
    case "error":
      return stopReason;
    default:
      return "unknown";
  }
}
