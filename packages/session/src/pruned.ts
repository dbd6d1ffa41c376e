/** Tool results that were pruned: a mark on the branch says so, the results themselves stay in the file. Pure. */

import type { Message } from "@omp/ai/schema";
import { fieldsOf, isRecord, type EntryDraft, type SessionEntry } from "./entry.ts";

const PRUNED = "pruned";

/** The mark for these results; the numbers are the tokens they had. */
export function pruneMark(results: Readonly<Record<string, number>>): EntryDraft {
  return { type: "custom", customType: PRUNED, data: { results } };
}

/** Entry to the text that stands for its result. @param entries those from the oldest that matters on */
export function prunedBy(entries: readonly SessionEntry[]): ReadonlyMap<string, string> {
  const tokens = prunedTokens(entries);
  return new Map([...tokens].map(([id, count]) => [id, `[Output truncated - ${count} tokens]`]));
}

/** Entry to the tokens that its result had. */
export function prunedTokens(entries: readonly SessionEntry[]): ReadonlyMap<string, number> {
  const tokens = new Map<string, number>();
  for (const entry of entries) {
    if (entry.type !== "custom") continue;
    const { customType, data } = fieldsOf(entry);
    if (customType !== PRUNED || !isRecord(data) || !isRecord(data.results)) continue;
    for (const [id, count] of Object.entries(data.results)) tokens.set(id, Number(count));
  }
  return tokens;
}

export function withPruned(message: Message, text: string): Message {
  if (message.role !== "toolResult") return message;
  return { ...message, content: [{ type: "text", text }] };
}
