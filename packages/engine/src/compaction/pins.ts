/** Texts that survive each compaction word for word: marks on the branch say which. Pure. */

import { fieldsOf, isRecord, type EntryDraft, type SessionEntry } from "@omp/session";
import type { Pin } from "../protocol/commands/compaction.ts";
import { textOf } from "../sessions/tree-target.ts";

const PIN = "pin";
const UNPIN = "unpin";

/** A text of its own: the model sees it from now on. */
export function pinnedText(text: string): EntryDraft {
  return {
    type: "custom_message",
    customType: PIN,
    content: text,
    display: true,
    attribution: "user",
  };
}

export function pinMark(entryId: string): EntryDraft {
  return { type: "custom", customType: PIN, data: { entryId } };
}

export function unpinMark(entryId: string): EntryDraft {
  return { type: "custom", customType: UNPIN, data: { entryId } };
}

/** Those in force, in the order in which they were pinned. @param branch root to leaf */
export function pinsOn(branch: readonly SessionEntry[]): readonly Pin[] {
  const pinned = new Set<string>();
  for (const entry of branch) {
    if (entry.type !== "custom" && entry.type !== "custom_message") continue;
    const { customType, data } = fieldsOf(entry);
    if (customType === PIN) pinned.add(entry.type === "custom" ? idIn(data) : entry.id);
    if (customType === UNPIN) pinned.delete(idIn(data));
  }
  const byId = new Map(branch.map((entry) => [entry.id, entry]));
  return [...pinned].flatMap((entryId) => {
    const text = saidBy(byId.get(entryId));
    return text === "" ? [] : { entryId, text };
  });
}

/** What an entry says in words; empty where it says nothing. */
export function saidBy(entry: SessionEntry | undefined): string {
  if (!entry) return "";
  const { content, message, summary } = fieldsOf(entry);
  if (entry.type === "custom_message") return textOf(content);
  if (typeof summary === "string") return summary;
  return isRecord(message) ? textOf(message.content) : "";
}

function idIn(data: unknown): string {
  return isRecord(data) && typeof data.entryId === "string" ? data.entryId : "";
}
