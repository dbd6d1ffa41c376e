/** What a compaction did to the entries of a branch: what stands in the file, and what is told. Pure. */

import { fieldsOf, isRecord, type SessionEntry } from "@omp/session";
import type {
  CompactionPart,
  CompactionReason,
  CompactionReport,
  CompactionWay,
  Pin,
} from "../protocol/commands/compaction.ts";
import { isMetadata } from "./entry-kind.ts";
import { windowOf, type CompactionPlan } from "./plan.ts";
import type { MadeSummary } from "./summarize.ts";
import { textTokens } from "./tokens.ts";

/** In the file; the ids of the parts follow from the branch. */
export interface StoredReport {
  readonly reason: CompactionReason;
  readonly way: CompactionWay;
  readonly model?: string;
  readonly because?: string;
  readonly tokensAfter: number;
  readonly keptTokens: number;
  readonly summarizedTokens: number;
  readonly droppedTokens: number;
  readonly pinnedTokens: number;
  /** Entries that nothing of is in the summary. */
  readonly dropped: readonly string[];
  readonly pinned: readonly string[];
}

export interface ReportFacts {
  readonly reason: CompactionReason;
  readonly plan: CompactionPlan;
  readonly made: Pick<MadeSummary, "way" | "used" | "model" | "because">;
  readonly pins: readonly Pin[];
  readonly summary: string;
}

export function storedReport({ reason, plan, made, pins, summary }: ReportFacts): StoredReport {
  const { way, used, model, because } = made;
  const old = idsOf([...plan.history, ...plan.prefix]);
  const dropped = old.filter((id) => !used.has(id));
  const kept = tokensOf(idsOf(plan.kept), plan);
  return {
    reason,
    way,
    ...(model !== undefined && { model }),
    ...(because !== undefined && { because }),
    tokensAfter: kept + Math.round(textTokens(summary) * plan.ratio),
    keptTokens: kept,
    summarizedTokens: tokensOf(
      old.filter((id) => used.has(id)),
      plan,
    ),
    droppedTokens: tokensOf(dropped, plan),
    pinnedTokens: pins.reduce((sum, { text }) => sum + textTokens(text), 0),
    dropped,
    pinned: pins.map(({ entryId }) => entryId),
  };
}

/** @param branch root to leaf, with the compaction on it */
export function reportOf(
  compaction: SessionEntry,
  branch: readonly SessionEntry[],
): CompactionReport {
  const { tokensBefore, details, fromExtension, firstKeptEntryId } = fieldsOf(compaction);
  const stored = storedIn(details);
  const before = branch.slice(0, branch.indexOf(compaction));
  const { entries } = windowOf(before);
  const cut = entries.findIndex(({ id }) => id === firstKeptEntryId);
  const old = idsOf(cut < 0 ? entries : entries.slice(0, cut));
  const dropped = new Set(stored?.dropped);
  const part = (ids: readonly string[], tokens = 0): CompactionPart => ({ entries: ids, tokens });
  return {
    entryId: compaction.id,
    reason: stored?.reason ?? "manual",
    way: fromExtension === true ? "extension" : (stored?.way ?? "model"),
    ...(stored?.model !== undefined && { model: stored.model }),
    ...(stored?.because !== undefined && { because: stored.because }),
    tokensBefore: typeof tokensBefore === "number" ? tokensBefore : 0,
    tokensAfter: stored?.tokensAfter ?? 0,
    kept: part(cut < 0 ? [] : idsOf(entries.slice(cut)), stored?.keptTokens),
    summarized: part(
      old.filter((id) => !dropped.has(id)),
      stored?.summarizedTokens,
    ),
    dropped: part([...dropped], stored?.droppedTokens),
    pinned: part(stored?.pinned ?? [], stored?.pinnedTokens),
  };
}

/** What we wrote ourselves; others may have written anything. */
function storedIn(details: unknown): StoredReport | undefined {
  if (!isRecord(details) || !isRecord(details.report)) return undefined;
  const { dropped, pinned, way, reason } = details.report;
  const isOurs = Array.isArray(dropped) && Array.isArray(pinned) && way && reason;
  return isOurs ? (details.report as unknown as StoredReport) : undefined;
}

function idsOf(entries: readonly SessionEntry[]): readonly string[] {
  return entries.filter((entry) => !isMetadata(entry)).map(({ id }) => id);
}

function tokensOf(ids: readonly string[], { tokens, ratio }: CompactionPlan): number {
  return Math.round(ratio * ids.reduce((sum, id) => sum + (tokens.get(id) ?? 0), 0));
}
