/** Turns of the active model: what every request of a session has in common is put together once. */

import { stream, type Timeouts } from "@omp/ai";
import type {
  Message,
  Model,
  ModelRequest,
  ModelStream,
  ThinkingBudgets,
  ToolSchema,
} from "@omp/ai/schema";
import type { Clock } from "@omp/std";
import type { ActiveModel } from "./active-model.ts";

export interface RequesterParts {
  readonly active: ActiveModel;
  readonly systemPrompt: string;
  readonly tools: readonly ToolSchema[];
  readonly thinkingBudgets: ThinkingBudgets;
  /** Of the session that is open now. */
  sessionId(): string;
  readonly clock: Clock;
  /** What the environment says about requests. */
  readonly habits: RequestHabits;
  /** How long a silent stream is waited for, by protocol; the usual time where absent. */
  timeoutsFor(model: Model): Partial<Timeouts> | undefined;
  /** The last look at messages before they are sent. */
  outgoing(messages: readonly Message[], model: Model): readonly Message[];
}

export type RequestHabits = Pick<ModelRequest, "interleavedThinking" | "cacheRetention">;

export type Requester = (messages: readonly Message[], signal: AbortSignal) => ModelStream;

export function createRequester(parts: RequesterParts): Requester {
  const { active, systemPrompt, tools, thinkingBudgets, habits, clock } = parts;
  const common = { systemPrompt, tools, thinkingBudgets, ...habits };
  return (messages, signal) => {
    const { model, apiKey, thinking, sign, fetch } = active.current;
    const sent = parts.outgoing(messages, model);
    return stream(
      { ...common, sessionId: parts.sessionId(), model, messages: sent, thinking },
      { apiKey, sign, clock, fetch, signal, timeouts: parts.timeoutsFor(model) },
    );
  };
}
