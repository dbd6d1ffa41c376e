/** What the model sees of a branch. Pure; entries without the shape their type promises are passed over. */

import type { Message, UserMessage } from "@omp/ai/schema";
import { choicesOf, type Choices } from "./choices.ts";
import { fieldsOf, isRecord, type Fields, type SessionEntry } from "./entry.ts";
import { prunedBy, withPruned } from "./pruned.ts";
import { replayable } from "./replay.ts";
import { asMessage, contentOf } from "./stored-message.ts";

export interface BranchContext extends Choices {
  /** Every tool result follows its call: a list that each provider accepts. */
  readonly messages: readonly Message[];
}

/** @param branch root to leaf */
export function contextOf(branch: readonly SessionEntry[]): BranchContext {
  const entries = visible(branch);
  const pruned = prunedBy(entries);
  const said = entries.flatMap((entry) => {
    const message = messageIn(entry);
    const mark = pruned.get(entry.id);
    return message ? (mark === undefined ? message : withPruned(message, mark)) : [];
  });
  return { ...choicesOf(branch), messages: replayable(said) };
}

/** The latest compaction stands for all before it but the part it kept; a reset leaves nothing. */
function visible(branch: readonly SessionEntry[]): readonly SessionEntry[] {
  const start = branch.findLastIndex((entry) => entry.type === "reset_boundary") + 1;
  const at = branch.findLastIndex(isCompaction);
  const compaction = branch[at];
  if (!compaction || at < start) return branch.slice(start);
  const { firstKeptEntryId } = fieldsOf(compaction);
  const before = branch.slice(start, at);
  const kept = before.findIndex((entry) => entry.id === firstKeptEntryId);
  const tail = kept < 0 ? [] : before.slice(kept).filter((entry) => !isCompaction(entry));
  return [compaction, ...tail, ...branch.slice(at + 1)];
}

function isCompaction(entry: SessionEntry): boolean {
  return entry.type === "compaction" && typeof fieldsOf(entry).summary === "string";
}

function messageIn(entry: SessionEntry): Message | undefined {
  const timestamp = Date.parse(entry.timestamp) || 0;
  return SPEAKERS.get(entry.type)?.(fieldsOf(entry), timestamp);
}

type Speaker = (fields: Fields, timestamp: number) => Message | undefined;

const SPEAKERS: ReadonlyMap<string, Speaker> = new Map<string, Speaker>([
  [
    "message",
    ({ message }, timestamp) => (isRecord(message) ? asMessage(message, timestamp) : undefined),
  ],
  [
    "custom_message",
    ({ content, attribution }, timestamp) =>
      asMessage({ role: "custom", content, attribution }, timestamp),
  ],
  [
    "compaction",
    ({ summary, preserveData }, timestamp) => {
      const lead = "The conversation up to here was replaced by this summary of it.";
      const message = summarized(lead, summary, timestamp);
      const replacement = replacementIn(preserveData);
      return message && replacement ? { ...message, replacement } : message;
    },
  ],
  [
    "branch_summary",
    ({ summary }, timestamp) =>
      summarized("The conversation went another way from here and came back.", summary, timestamp),
  ],
]);

function summarized(lead: string, summary: unknown, timestamp: number): UserMessage | undefined {
  if (typeof summary !== "string" || contentOf(summary) === undefined) return undefined;
  const content = `${lead}\n\n<summary>\n${summary}\n</summary>`;
  return { role: "user", content, timestamp, attribution: "agent" };
}

/** What OpenAI made of the conversation, if it did. */
function replacementIn(preserveData: unknown): UserMessage["replacement"] {
  const kept = isRecord(preserveData) ? preserveData.openaiRemoteCompaction : undefined;
  if (!isRecord(kept) || typeof kept.provider !== "string") return undefined;
  const { provider, replacementHistory: items } = kept;
  return Array.isArray(items) ? { provider, items: items.filter(isRecord) } : undefined;
}
