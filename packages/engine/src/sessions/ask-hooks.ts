/** Asks the hooks before a change, one after the other: the first to cancel ends the asking. */

import { log, messageOf } from "@omp/std";
import type { BeforeSwitch, BeforeTree, SessionHooks } from "../protocol/hooks.ts";

type Hooks = readonly SessionHooks[];

export async function cancelsSwitch(hooks: Hooks, event: BeforeSwitch): Promise<boolean> {
  const says = await askEach(hooks, (hook) => hook.beforeSwitch?.(event));
  return says.some(({ cancel }) => cancel);
}

export async function askBranch(
  hooks: Hooks,
  entryId: string,
): Promise<{ readonly isCancelled: boolean; readonly keepsMessages: boolean }> {
  const says = await askEach(hooks, (hook) => hook.beforeBranch?.({ entryId }));
  return {
    isCancelled: says.some(({ cancel }) => cancel),
    keepsMessages: says.some(({ skipConversationRestore }) => skipConversationRestore),
  };
}

export interface GivenSummary {
  readonly summary: string;
  readonly details?: unknown;
}

/** The first summary that is given counts. */
export async function askTree(
  hooks: Hooks,
  event: BeforeTree,
  signal: AbortSignal,
): Promise<{ readonly isCancelled: boolean; readonly given: GivenSummary | undefined }> {
  const says = await askEach(hooks, (hook) => hook.beforeTree?.(event, signal));
  return {
    isCancelled: says.some(({ cancel }) => cancel),
    given: says.find(({ summary }) => summary)?.summary,
  };
}

/** A hook that throws has no say; it must not keep a person from changing the session. */
async function askEach<Say extends { readonly cancel?: boolean }>(
  hooks: Hooks,
  ask: (hook: SessionHooks) => Promise<Say | undefined> | undefined,
): Promise<readonly Say[]> {
  const says: Say[] = [];
  for (const hook of hooks) {
    try {
      const say = await ask(hook);
      if (say) says.push(say);
      if (say?.cancel) break;
    } catch (error) {
      log.error("session-hook-failed", { error: messageOf(error) });
    }
  }
  return says;
}
