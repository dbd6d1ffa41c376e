/** When to send a model request again. Pure: no clock, no model, no session. */

import { isVisible } from "@omp/agent";
import type { AssistantMessage, ProviderFault } from "@omp/ai/schema";
import type { RetrySettings } from "../settings/schema/retry.ts";

export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  | { readonly retry: false; readonly because?: string };

/** What the decision needs of the settings. */
type Budget = Pick<RetrySettings, "enabled" | "maxRetries" | "baseDelayMs" | "maxDelayMs">;

const LONGEST_BACKOFF_MS = 8000;
const GIVE_UP: RetryDecision = { retry: false };

/** A model that says nothing twice more has nothing to say. */
export const MAX_EMPTY_RETRIES = 2;
const EMPTY_BASE_MS = 500;

export interface FailedTurn {
  readonly fault: ProviderFault | undefined;
  readonly message: AssistantMessage;
  /** Retries made so far for this prompt. */
  readonly retries: number;
}

/** `jitter` is a number in [0, 1) from the Random door. */
export function decideRetry(turn: FailedTurn, settings: Budget, jitter: number): RetryDecision {
  const { fault, retries, message } = turn;
  if (!settings.enabled || !fault || retries >= settings.maxRetries) return GIVE_UP;
  // What the person has already seen is never produced a second time.
  if (isVisible(message)) return GIVE_UP;
  switch (fault.kind) {
    case "rate-limit":
    case "overloaded":
      return waitFor(fault.retryAfterMs ?? 0, message, retries, settings, jitter);
    case "network":
    case "malformed":
      return waitFor(0, message, retries, settings, jitter);
    case "auth":
    case "context-overflow":
    case "invalid-request":
    case "refused":
    case "budget":
      return GIVE_UP;
  }
}

/** For an answer that ended well and says nothing. */
export function decideEmptyRetry(
  retries: number,
  settings: Pick<Budget, "enabled">,
  jitter: number,
): RetryDecision {
  if (!settings.enabled || retries >= MAX_EMPTY_RETRIES) return GIVE_UP;
  return { retry: true, delayMs: backoff(EMPTY_BASE_MS, retries, jitter) };
}

export function isEmptyAnswer(message: AssistantMessage): boolean {
  return message.stopReason === "stop" && !isVisible(message);
}

function waitFor(
  askedMs: number,
  { errorMessage }: AssistantMessage,
  retries: number,
  { baseDelayMs, maxDelayMs }: Budget,
  jitter: number,
): RetryDecision {
  const longest = maxDelayMs > 0 ? maxDelayMs : Number.POSITIVE_INFINITY;
  if (askedMs > longest) {
    const asked = `Provider requested ${askedMs}ms wait, exceeds retry.maxDelayMs (${maxDelayMs}ms)`;
    return { retry: false, because: errorMessage ? `${asked}: ${errorMessage}` : asked };
  }
  const ownMs = Math.min(backoff(baseDelayMs, retries, jitter), longest);
  return { retry: true, delayMs: Math.max(ownMs, askedMs) };
}

function backoff(baseMs: number, retries: number, jitter: number): number {
  return Math.round(Math.min(baseMs * 2 ** retries, LONGEST_BACKOFF_MS) * (0.75 + 0.25 * jitter));
}
