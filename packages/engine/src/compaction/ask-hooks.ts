/** Asks the hooks about a compaction. One that throws has no say. */

import { log, messageOf } from "@omp/std";
import type {
  BeforeCompact,
  CompactingChange,
  GivenCompaction,
  SessionHooks,
} from "../protocol/hooks.ts";
import type { SessionEntry } from "@omp/session";

type Hooks = readonly SessionHooks[];

/** The first to cancel or to give a compaction decides. */
export async function askBefore(
  hooks: Hooks,
  event: BeforeCompact,
  signal: AbortSignal,
): Promise<{ readonly isCancelled: boolean; readonly given?: GivenCompaction }> {
  for (const hook of hooks) {
    const say = await heard(() => hook.beforeCompact?.(event, signal));
    if (say?.cancel) return { isCancelled: true };
    if (say?.compaction) return { isCancelled: false, given: say.compaction };
  }
  return { isCancelled: false };
}

/** The latest prompt counts, all lines of context and all data are kept. */
export async function askChange(
  hooks: Hooks,
  event: BeforeCompact,
  signal: AbortSignal,
): Promise<CompactingChange> {
  let change: CompactingChange = {};
  for (const hook of hooks) {
    const say = await heard(() => hook.compacting?.(event, signal));
    if (!say) continue;
    const { context = [], preserveData } = change;
    change = {
      ...change,
      ...say,
      context: [...context, ...(say.context ?? [])],
      ...(say.preserveData && { preserveData: { ...preserveData, ...say.preserveData } }),
    };
  }
  return change;
}

export async function tellCompacted(
  hooks: Hooks,
  event: { readonly compactionEntry: SessionEntry; readonly fromExtension: boolean },
): Promise<void> {
  for (const hook of hooks) await heard(() => hook.compacted?.(event));
}

async function heard<Say>(
  ask: () => Promise<Say | undefined> | undefined,
): Promise<Say | undefined> {
  try {
    return await ask();
  } catch (error) {
    log.error("compaction-hook-failed", { error: messageOf(error) });
    return undefined;
  }
}
