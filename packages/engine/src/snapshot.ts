/** Puts the snapshot together from the rooms that own its parts. */

import type { ToolSchema } from "@omp/ai/schema";
import type { Conversation } from "./conversation/conversation.ts";
import type { ActiveModel } from "./model/active-model.ts";
import type { Snapshot } from "./protocol/snapshot.ts";
import type { InteractionSettings } from "./settings/schema/interaction.ts";

export interface SnapshotParts {
  readonly cwd: string;
  readonly conversation: Pick<Conversation<never>, "log" | "messages" | "isRunning">;
  readonly active: ActiveModel;
  readonly settings: InteractionSettings;
  readonly request: { readonly systemPrompt: string; readonly tools: readonly ToolSchema[] };
}

export function snapshotOf({
  cwd,
  conversation,
  active,
  settings,
  request,
}: SnapshotParts): Snapshot {
  const { log, messages, isRunning } = conversation;
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
    queue: { steering: [], followUp: [] },
    ...settings,
    isAutoRetryEnabled: true,
    systemPrompt: request.systemPrompt,
    tools: request.tools,
  };
}
