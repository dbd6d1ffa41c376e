/** One compaction from plan to entry. Until the entry is stored nothing has changed. */

import { readOnlyError, type EntryDraft, type SessionEntry, type SessionLog } from "@omp/session";
import { UserError } from "@omp/std";
import type { CompactionResult } from "../protocol/commands/compaction.ts";
import type { EngineEvent } from "../protocol/event.ts";
import type { BeforeCompact, GivenCompaction, SessionHooks } from "../protocol/hooks.ts";
import type { CompactionSettings } from "../settings/schema/compaction.ts";
import { askBefore, askChange, tellCompacted } from "./ask-hooks.ts";
import type { CompactionOrder } from "./door.ts";
import { filesTouched } from "./files-touched.ts";
import { pinsOn } from "./pins.ts";
import { planCompaction, type CompactionPlan } from "./plan.ts";
import { reportOf, storedReport } from "./report.ts";
import { makeSummary, shortSummaryOf, type MadeSummary, type SummarizeDeps } from "./summarize.ts";
import { summaryText } from "./summary-text.ts";
import { keptTokens } from "./threshold.ts";

export interface CompactionRoom extends SummarizeDeps {
  readonly conversation: {
    readonly log: SessionLog;
    reload(options?: { readonly goesOn?: boolean }): void;
  };
  readonly settings: CompactionSettings;
  readonly hooks: readonly SessionHooks[];
  /** Tokens of the system prompt and the tools, by our estimate. */
  overhead(): number;
  publish(event: EngineEvent): void;
}

type Draft = Extract<EntryDraft, { type: "compaction" }>;

/** @throws UserError when there is nothing to summarize, or no summary; nothing has changed then */
export async function compact(
  room: CompactionRoom,
  order: CompactionOrder,
  signal: AbortSignal,
): Promise<CompactionResult> {
  const { log } = room.conversation;
  // A summary that cannot be stored is not worth a request.
  if (log.access.kind === "read-only") throw readOnlyError(log.path ?? "", log.access);
  const branch = log.branch();
  const plan = planFor(room, branch);
  if (!plan) throw new UserError("session", "There is nothing old enough to summarize");
  const event: BeforeCompact = {
    reason: order.reason,
    firstKeptEntryId: plan.firstKeptEntryId,
    tokensBefore: plan.tokensBefore,
    summarized: [...plan.history, ...plan.prefix],
    ...(order.focus !== undefined && { instructions: order.focus }),
  };
  const { isCancelled, given } = await askBefore(room.hooks, event, signal);
  if (isCancelled || signal.aborted) return { cancelled: true };
  const draft = given
    ? givenDraft(given, plan, branch)
    : await ownDraft(room, { order, plan, branch, event }, signal);
  if (!draft || signal.aborted) return { cancelled: true };
  const entry = store(room, log, branch, draft);
  await log.sync();
  const fromExtension = given !== undefined;
  room.publish({ type: "session_compact", compactionEntry: entry, fromExtension });
  await tellCompacted(room.hooks, { compactionEntry: entry, fromExtension });
  return resultOf(entry, draft, log);
}

export function planFor(
  { active, settings, overhead }: Pick<CompactionRoom, "active" | "settings" | "overhead">,
  branch: readonly SessionEntry[],
): CompactionPlan | undefined {
  const { contextWindow } = active.current.model;
  const keepTokens = keptTokens(contextWindow, settings);
  return planCompaction(branch, { keepTokens, overhead: overhead() });
}

interface Facts {
  readonly order: CompactionOrder;
  readonly plan: CompactionPlan;
  readonly branch: readonly SessionEntry[];
  readonly event: BeforeCompact;
}

async function ownDraft(
  room: CompactionRoom,
  { order, plan, branch, event }: Facts,
  signal: AbortSignal,
): Promise<Draft | undefined> {
  const change = await askChange(room.hooks, event, signal);
  if (signal.aborted) return undefined;
  const { reason, focus, strategy = room.settings.strategy } = order;
  let made: MadeSummary;
  try {
    made = await makeSummary(
      {
        plan,
        focus,
        change,
        strategy: strategy === "outline" ? "outline" : "model",
        // What is only getting large can wait for a model that answers.
        isUrgent: reason !== "threshold" && reason !== "idle",
      },
      room,
      signal,
    );
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
  const preserveData = { ...made.preserveData, ...change.preserveData };
  const kept = new Set(plan.kept.map(({ id }) => id));
  const pins = pinsOn(branch).filter(({ entryId }) => !kept.has(entryId));
  const files = filesTouched([...plan.history, ...plan.prefix], plan.previous);
  const summary = summaryText(made.text, pins, files);
  const shortSummary = shortSummaryOf(made.text);
  const report = storedReport({ reason, plan, made, pins, summary });
  return {
    type: "compaction",
    summary,
    ...(shortSummary !== undefined && { shortSummary }),
    firstKeptEntryId: plan.firstKeptEntryId,
    tokensBefore: plan.tokensBefore,
    details: { ...files, bareLength: made.text.length, report },
    ...(Object.keys(preserveData).length > 0 && { preserveData }),
  };
}

function givenDraft(
  given: GivenCompaction,
  plan: CompactionPlan,
  branch: readonly SessionEntry[],
): Draft {
  const { firstKeptEntryId = plan.firstKeptEntryId, ...rest } = given;
  const isKnown = branch.some(({ id }) => id === firstKeptEntryId);
  return {
    type: "compaction",
    ...rest,
    firstKeptEntryId: isKnown ? firstKeptEntryId : plan.firstKeptEntryId,
    tokensBefore: plan.tokensBefore,
    fromExtension: true,
  };
}

/** Something may have been said or changed while the summary was made. */
function store(
  { conversation }: CompactionRoom,
  log: SessionLog,
  branch: readonly SessionEntry[],
  draft: Draft,
): SessionEntry {
  const { leafId } = log;
  const now = log.branch();
  const isSame = conversation.log === log && now[branch.length - 1]?.id === branch.at(-1)?.id;
  if (!isSame)
    throw new UserError("busy", "The session has changed meanwhile; nothing was compacted");
  try {
    const entry = log.append(draft);
    conversation.reload({ goesOn: true });
    return entry;
  } catch (error) {
    log.moveLeaf(leafId);
    throw error;
  }
}

function resultOf(entry: SessionEntry, draft: Draft, log: SessionLog): CompactionResult {
  const { summary, shortSummary, firstKeptEntryId, tokensBefore } = draft;
  return {
    cancelled: false,
    summary,
    ...(shortSummary !== undefined && { shortSummary }),
    firstKeptEntryId,
    tokensBefore,
    report: reportOf(entry, log.branch(entry.id)),
  };
}
