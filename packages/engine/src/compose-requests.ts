/** Requests to models: what they have in common, and the ledger that every one of them passes. */

import type { UiPort } from "@omp/agent";
import type { Model, ToolSchema } from "@omp/ai/schema";
import type { Clock } from "@omp/std";
import type { SystemPrompt } from "./context/system-prompt.ts";
import type { Conversation } from "./conversation/conversation.ts";
import type { EventHub } from "./engine.ts";
import { createOutgoingImages } from "./images/outgoing.ts";
import { createModelDoor } from "./ledger/door.ts";
import { Ledger } from "./ledger/ledger.ts";
import type { ActiveModel } from "./model/active-model.ts";
import { createRequester } from "./model/request.ts";
import { streamLimits } from "./model/stream-limits.ts";
import type { Environment } from "./paths.ts";
import { imagesArea } from "./settings/schema/images.ts";
import { thinkingBudgetsArea } from "./settings/schema/model.ts";
import { samplingArea, samplingOf } from "./settings/schema/sampling.ts";
import type { SettingsStore } from "./settings/store.ts";

export interface RequestsDeps {
  readonly settings: SettingsStore;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly active: ActiveModel;
  readonly systemPrompt: SystemPrompt;
  readonly hub: EventHub;
  readonly ui: Pick<UiPort, "tell">;
  /** US dollars; undefined is no limit. */
  readonly maxCost: number | undefined;
  tools(): readonly ToolSchema[];
  conversation(): Pick<Conversation<never>, "noteCharge" | "log">;
}

export type Requests = ReturnType<typeof composeRequests>;

export function composeRequests(deps: RequestsDeps) {
  const { settings, environment, clock, active, hub, conversation } = deps;
  const ledger = new Ledger({ clock, cap: deps.maxCost });
  if (ledger.cap !== undefined) warnOfUnpriced(active.current.model, deps.ui);
  const ask = createModelDoor({
    ledger,
    agent: "main",
    charged(charge) {
      conversation().noteCharge(charge);
      hub.publish({ type: "usage", charge, spent: ledger.spent });
    },
  });
  const request = {
    systemPrompt: () => deps.systemPrompt.blocks,
    tools: deps.tools,
    habits: habitsIn(environment),
    thinkingBudgets: settings.values(thinkingBudgetsArea),
    sampling: () => samplingOf(settings.values(samplingArea)),
    timeoutsFor: streamLimits(environment),
    outgoing: createOutgoingImages(settings.values(imagesArea)),
  };
  const sessionId = () => conversation().log.header.id;
  return {
    ledger,
    ask,
    request,
    turn: createRequester({ ...request, ask, active, sessionId, clock }),
  };
}

function habitsIn(environment: Environment) {
  return {
    ...(environment["PI_NO_INTERLEAVED_THINKING"] === "1" && { interleavedThinking: false }),
    ...(environment["PI_CACHE_RETENTION"] === "long" && { cacheRetention: "long" as const }),
  };
}

function warnOfUnpriced({ provider, id, prices }: Model, ui: Pick<UiPort, "tell">): void {
  if (prices.input + prices.output > 0) return;
  const text = `No price is known for ${provider}/${id}: --max-cost cannot hold it back.`;
  ui.tell({ level: "warning", text });
}
