/** A turn that its process did not live to end, as the aborted answer it would have been. Pure. */

import { NO_TOKENS, usageOf, type AssistantMessage, type Model } from "@omp/ai/schema";
import { fieldsOf, type SessionEntry, type SessionLog } from "@omp/session";

const INTERRUPTED = "The program ended before this turn did";

/**
 * Undefined where the branch ends with an answer or with nothing to answer, and where the person went
 * back to a place that others have gone on from.
 */
export function interruptedAnswer(
  log: Pick<SessionLog, "branch" | "entries">,
  model: Model,
  timestamp: number,
): AssistantMessage | undefined {
  const last = log.branch().findLast(isOfTurn);
  if (last?.type !== "message" || log.entries.findLast(isOfTurn)?.id !== last.id) return undefined;
  if (!waitsForAnswer(fieldsOf(last).message)) return undefined;
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: usageOf(NO_TOKENS, model.prices),
    stopReason: "aborted",
    errorMessage: INTERRUPTED,
    timestamp,
  };
}

/** What begins or ends a turn; settings, labels and marks stand in between. */
const TURN_ENTRIES: ReadonlySet<string> = new Set([
  "message",
  "compaction",
  "branch_summary",
  "reset_boundary",
]);

function isOfTurn({ type }: SessionEntry): boolean {
  return TURN_ENTRIES.has(type);
}

function waitsForAnswer(message: unknown): boolean {
  const { role, stopReason, content } = (message ?? {}) as Record<string, unknown>;
  if (role === "user" || role === "toolResult") return true;
  return role === "assistant" && stopReason === "toolUse" && Array.isArray(content);
}
