/** Puts the snapshot together from the rooms that own its parts. */

import type { ToolSchema } from "@omp/ai/schema";
import type { Conversation } from "./conversation/conversation.ts";
import type { ActiveModel } from "./model/active-model.ts";
import type { Snapshot } from "./protocol/snapshot.ts";

export interface SnapshotParts {
  readonly cwd: string;
  readonly conversation: Pick<
    Conversation<never>,
    "log" | "messages" | "isRunning" | "inbox" | "isAutoRetryEnabled"
  >;
  readonly compaction: {
    readonly door: { readonly isCompacting: boolean; readonly isAutomatic: boolean };
  };
  readonly active: ActiveModel;
  readonly request: { tools(): readonly ToolSchema[] };
  readonly systemPrompt: { readonly text: string };
}

export function snapshotOf(parts: SnapshotParts): Snapshot {
  const { cwd, conversation, compaction, active, request, systemPrompt } = parts;
  const { log, messages, isRunning, isAutoRetryEnabled } = conversation;
  const { waiting, modes } = conversation.inbox;
  const { model, thinking } = active.current;
  return {
    cwd,
    session: {
      header: log.header,
      ...(log.path === undefined ? {} : { file: log.path }),
      leafId: log.leafId,
      messages,
    },
    model,
    thinkingLevel: thinking,
    isRunning,
    queue: waiting,
    ...modes,
    isAutoRetryEnabled,
    isCompacting: compaction.door.isCompacting,
    isAutoCompactionEnabled: compaction.door.isAutomatic,
    systemPrompt: systemPrompt.text,
    tools: request.tools(),
  };
}
