/** All of compaction, put together when the first one is due. */

import type { Message } from "@omp/ai/schema";
import { prunedBy, pruneMark } from "@omp/session";
import { compact, planFor, type CompactionRoom } from "./compact.ts";
import type { CompactionWork } from "./door.ts";
import { handOff, type HandoffDeps } from "./handoff.ts";
import { contextSizeOf, windowOf } from "./plan.ts";
import continuePrompt from "./prompts/continue.md" with { type: "text" };
import { planPruning, planTightPruning } from "./prune.ts";
import { isReverted } from "./revert.ts";
import { thresholdOf } from "./threshold.ts";

export type WorkRoom = CompactionRoom & {
  readonly conversation: CompactionRoom["conversation"] & {
    readonly messages: readonly Message[];
  };
} & Pick<HandoffDeps, "stream" | "newSession" | "keep">;

/** Less than this share of the context is not worth a summary: the next turn would ask for another one. */
const MIN_GAIN = 0.1;

export function createWork(room: WorkRoom): CompactionWork {
  const { conversation } = room;
  const size = () => contextSizeOf(conversation.log.branch(), room.overhead()).tokens;
  const isAbove = () =>
    size() > thresholdOf(room.active.current.model.contextWindow, room.settings);
  return {
    size,
    async isOver() {
      if (!isAbove() || isReverted(conversation.log.branch())) return false;
      if (prune(room) && !isAbove()) return false;
      return isWorthwhile(room);
    },
    async compact(order, signal) {
      const result = await compact(room, order, signal);
      if (!result.cancelled && order.reason === "overflow") tighten(room);
      return result;
    },
    async handoff(focus, signal) {
      return { isDone: await handOff(room, focus, signal) };
    },
    continuePrompt: continuePrompt.trim(),
  };
}

/** @returns whether something was pruned */
function prune(room: WorkRoom): boolean {
  return apply(room, planPruning);
}

/** What was kept may be too much by itself: a few results can be larger than a small window. */
function tighten(room: WorkRoom): void {
  const { active, settings, conversation } = room;
  const { tokens } = contextSizeOf(conversation.log.branch(), room.overhead());
  const excess = tokens - thresholdOf(active.current.model.contextWindow, settings);
  if (excess > 0) apply(room, (entries, isPruned) => planTightPruning(entries, isPruned, excess));
}

function apply({ conversation }: WorkRoom, plan: typeof planPruning): boolean {
  const { log } = conversation;
  const { entries } = windowOf(log.branch());
  const before = prunedBy(entries);
  const pruning = plan(entries, (id) => before.has(id));
  if (!pruning) return false;
  log.append(pruneMark(pruning));
  conversation.reload({ goesOn: true });
  return true;
}

function isWorthwhile(room: WorkRoom): boolean {
  const plan = planFor(room, room.conversation.log.branch());
  if (!plan) return false;
  const old = [...plan.history, ...plan.prefix];
  const gain = old.reduce((sum, { id }) => sum + (plan.tokens.get(id) ?? 0), 0) * plan.ratio;
  return gain > plan.tokensBefore * MIN_GAIN;
}
