/** All of compaction, put together when the first one is due. */

import type { Message } from "@omp/ai/schema";
import { prunedBy, pruneMark } from "@omp/session";
import { compact, planFor, type CompactionRoom } from "./compact.ts";
import type { CompactionWork } from "./door.ts";
import { handOff, type HandoffDeps } from "./handoff.ts";
import { contextSizeOf, windowOf } from "./plan.ts";
import continuePrompt from "./prompts/continue.md" with { type: "text" };
import { planPruning } from "./prune.ts";
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
    compact: (order, signal) => compact(room, order, signal),
    async handoff(focus, signal) {
      return { isDone: await handOff(room, focus, signal) };
    },
    continuePrompt: continuePrompt.trim(),
  };
}

/** @returns whether something was pruned */
function prune({ conversation }: WorkRoom): boolean {
  const { log } = conversation;
  const { entries } = windowOf(log.branch());
  const pruned = prunedBy(entries);
  const plan = planPruning(entries, (id) => pruned.has(id));
  if (!plan) return false;
  log.append(pruneMark(plan));
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
