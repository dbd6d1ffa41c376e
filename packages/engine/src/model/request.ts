/** Turns of the active model: what every request of a session has in common is put together once. */

import type { Timeouts } from "@omp/ai";
import type {
  Message,
  Model,
  ModelRequest,
  ModelStream,
  Sampling,
  ThinkingBudgets,
  ToolSchema,
} from "@omp/ai/schema";
import type { Clock } from "@omp/std";
import type { AskModel } from "../ledger/door.ts";
import type { ActiveModel } from "./active-model.ts";

export interface RequesterParts {
  readonly ask: AskModel;
  readonly active: ActiveModel;
  systemPrompt(): ModelRequest["systemPrompt"];
  /** Those that are offered now; the same objects as long as they do not change. */
  tools(): readonly ToolSchema[];
  readonly thinkingBudgets: ThinkingBudgets;
  /** As it is set now. */
  sampling(): Sampling;
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

/** What one request has of its own. */
export interface RequestOptions extends Pick<ModelRequest, "toolChoice"> {
  /** The turn failed before and is tried again. */
  readonly isRetry?: boolean;
}

export type Requester = (
  messages: readonly Message[],
  signal: AbortSignal,
  options?: RequestOptions,
) => ModelStream;

export function createRequester(parts: RequesterParts): Requester {
  const { active, thinkingBudgets, habits, clock } = parts;
  const common = { thinkingBudgets, ...habits };
  return (messages, signal, { isRetry = false, ...options } = {}) => {
    const { model, apiKey, thinking, sign, fetch } = active.current;
    const sent = parts.outgoing(messages, model);
    const systemPrompt = parts.systemPrompt();
    const tools = parts.tools();
    const sessionId = parts.sessionId();
    const sampling = parts.sampling();
    const own = { systemPrompt, tools, sampling, sessionId, model, messages: sent, thinking };
    return parts.ask(
      isRetry ? "retry" : "turn",
      { ...common, ...options, ...own },
      { apiKey, sign, clock, fetch, signal, timeouts: parts.timeoutsFor(model) },
      messages,
    );
  };
}
