/** When to send a failed model request again. Pure: no clock, no model, no session. */

import type { AssistantMessage, ProviderFault } from "@omp/ai/schema";
import type { RetrySettings } from "../settings/schema/retry.ts";

export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  | { readonly retry: false; readonly because?: string };

const LONGEST_BACKOFF_MS = 8000;
const GIVE_UP: RetryDecision = { retry: false };

export interface FailedTurn {
  readonly fault: ProviderFault | undefined;
  readonly message: AssistantMessage;
  /** Retries made so far for this prompt. */
  readonly retries: number;
}

/** `jitter` is a number in [0, 1) from the Random door. */
export function decideRetry(
  turn: FailedTurn,
  settings: RetrySettings,
  jitter: number,
): RetryDecision {
  const { fault } = turn;
  if (!settings.enabled || !fault || turn.retries >= settings.maxRetries) return GIVE_UP;
  // What the person has already seen is never produced a second time.
  if (hasVisibleContent(turn.message)) return GIVE_UP;
  switch (fault.kind) {
    case "rate-limit":
    case "overloaded":
      return waitFor(fault.retryAfterMs, turn.retries, settings, jitter);
    case "network":
    case "malformed":
      return waitFor(undefined, turn.retries, settings, jitter);
    case "auth":
    case "context-overflow":
    case "invalid-request":
    case "refused":
      return GIVE_UP;
  }
}

function waitFor(
  askedMs: number | undefined,
  retries: number,
  settings: RetrySettings,
  jitter: number,
): RetryDecision {
  const backoff = Math.min(settings.baseDelayMs * 2 ** retries, LONGEST_BACKOFF_MS);
  const delayMs = Math.max(Math.round(backoff * (0.75 + 0.25 * jitter)), askedMs ?? 0);
  if (settings.maxDelayMs > 0 && delayMs > settings.maxDelayMs) {
    return {
      retry: false,
      because: `Provider requested ${delayMs}ms wait, exceeds retry.maxDelayMs (${settings.maxDelayMs}ms)`,
    };
  }
  return { retry: true, delayMs };
}

function hasVisibleContent(message: AssistantMessage): boolean {
  return message.content.some(
    (block) => block.type === "toolCall" || (block.type === "text" && block.text.trim() !== ""),
  );
}
