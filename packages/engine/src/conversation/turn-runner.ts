/** Runs one prompt to its end: the loop, and the retries of turns that failed for reasons that may pass. */

import { runLoop, type LoopDeps, type LoopEnd } from "@omp/agent";
import type { Message } from "@omp/ai/schema";
import { sleep, type Clock, type Random } from "@omp/std";
import type { EngineEvent } from "../protocol/event.ts";
import type { RetrySettings } from "../settings/schema/retry.ts";
import { decideRetry } from "./retry.ts";

export interface TurnRunnerDeps<Hosts> extends Omit<LoopDeps<Hosts>, "emit"> {
  readonly retry: RetrySettings;
  readonly clock: Clock;
  readonly random: Random;
  emit(event: EngineEvent): void | Promise<void>;
}

/** `messages` grows by what is made. The failed answers of retried turns are announced but not in it. */
export async function runTurns<Hosts>(
  messages: Message[],
  deps: TurnRunnerDeps<Hosts>,
  signal: AbortSignal,
): Promise<LoopEnd> {
  let retries = 0;
  const loopDeps: LoopDeps<Hosts> = {
    ...deps,
    emit: (event) => {
      const isAnswer = event.type === "message_end" && event.message.role === "assistant";
      if (retries > 0 && isAnswer && event.message.stopReason !== "error") {
        const attempt = retries;
        retries = 0;
        return inOrder(deps, event, { type: "auto_retry_end", success: true, attempt });
      }
      return deps.emit(event);
    },
  };
  for (;;) {
    const end = await runLoop(messages, loopDeps, signal);
    if (end.message.stopReason !== "error") return end;
    const { message, fault } = end;
    const decision = decideRetry({ message, fault, retries }, deps.retry, deps.random.next());
    const errorMessage = message.errorMessage ?? "unknown error";
    if (!decision.retry) {
      const finalError = decision.because ?? errorMessage;
      const attempt = Math.max(retries, 1);
      if (retries > 0 || decision.because !== undefined) {
        await deps.emit({ type: "auto_retry_end", success: false, attempt, finalError });
      }
      return end;
    }
    retries++;
    const { delayMs } = decision;
    await deps.emit({
      type: "auto_retry_start",
      attempt: retries,
      maxAttempts: deps.retry.maxRetries,
      delayMs,
      errorMessage,
    });
    await sleep(deps.clock, delayMs, signal);
    if (signal.aborted) {
      const finalError = "Retry cancelled";
      await deps.emit({ type: "auto_retry_end", success: false, attempt: retries, finalError });
      return end;
    }
  }
}

async function inOrder<Hosts>(
  deps: TurnRunnerDeps<Hosts>,
  ...events: EngineEvent[]
): Promise<void> {
  for (const event of events) await deps.emit(event);
}
