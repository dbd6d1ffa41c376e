/** Turns of the active model: what every request of a session has in common is put together once. */

import { stream } from "@omp/ai";
import type { Message, Model, ModelStream, ThinkingBudgets, ToolSchema } from "@omp/ai/schema";
import type { Clock } from "@omp/std";
import type { ActiveModel } from "./active-model.ts";

export interface RequesterParts {
  readonly active: ActiveModel;
  readonly systemPrompt: string;
  readonly tools: readonly ToolSchema[];
  readonly thinkingBudgets: ThinkingBudgets;
  readonly sessionId: string;
  readonly clock: Clock;
  /** The last look at messages before they are sent. */
  outgoing(messages: readonly Message[], model: Model): readonly Message[];
}

export type Requester = (messages: readonly Message[], signal: AbortSignal) => ModelStream;

export function createRequester(parts: RequesterParts): Requester {
  const { active, systemPrompt, tools, thinkingBudgets, sessionId, clock } = parts;
  return (messages, signal) => {
    const { model, apiKey, thinking, fetch } = active.current;
    const sent = parts.outgoing(messages, model);
    return stream(
      { model, systemPrompt, messages: sent, tools, thinking, thinkingBudgets, sessionId },
      { apiKey, clock, fetch, signal },
    );
  };
}
