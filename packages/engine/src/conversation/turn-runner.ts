/** Runs one prompt to its end: the loop, and further tries of turns that failed for reasons that may pass. */

import { isVisible, runLoop, type LoopDeps, type LoopEnd } from "@omp/agent";
import type { AssistantMessage, Message } from "@omp/ai/schema";
import { sleep, type Clock, type Random } from "@omp/std";
import type { EngineEvent } from "../protocol/event.ts";
import type { RetrySettings } from "../settings/schema/retry.ts";
import type { Trouble } from "./maintenance.ts";
import {
  decideEmptyRetry,
  decideRetry,
  isEmptyAnswer,
  MAX_EMPTY_RETRIES,
  type RetryDecision,
} from "./retry.ts";

export interface TurnRunnerDeps<Hosts> extends Omit<LoopDeps<Hosts>, "emit"> {
  /** Asked for each decision: a person may change it while a run is in progress. */
  retry(): RetrySettings;
  readonly clock: Clock;
  readonly random: Random;
  emit(event: EngineEvent): void | Promise<void>;
  /** The context was too long, or left no room for the answer. @returns whether to ask again */
  recover(trouble: Trouble, message: AssistantMessage): Promise<boolean>;
  /** A wait begins: aborting the signal ends the retries, not the run's promise. */
  beginWait(): AbortSignal;
}

/** `messages` grows by what is made. Answers that are tried again are announced but not in it. */
export async function runTurns<Hosts>(
  messages: Message[],
  deps: TurnRunnerDeps<Hosts>,
  signal: AbortSignal,
): Promise<LoopEnd> {
  const retries = new Retries(deps, signal);
  const loopDeps: LoopDeps<Hosts> = { ...deps, emit: (event) => retries.announce(event) };
  for (;;) {
    const end = await runLoop(messages, loopDeps, signal);
    const { message } = end;
    const isEmpty = isEmptyAnswer(message);
    // No provider takes an empty answer back.
    if (isEmpty && messages.at(-1) === message) messages.pop();
    if (signal.aborted || message.stopReason === "aborted") return await retries.cancel(end);
    const trouble = troubleOf(end);
    if (trouble && (await deps.recover(trouble, message))) continue;
    if (!isEmpty && message.stopReason !== "error") return end;
    if (!(await (isEmpty ? retries.afterEmpty() : retries.afterFault(end)))) return end;
  }
}

function troubleOf({ message, fault }: LoopEnd): Trouble | undefined {
  if (message.stopReason === "length") return "incomplete";
  return fault?.kind === "context-overflow" && !isVisible(message) ? "overflow" : undefined;
}

const SAID_NOTHING = "The model ended its answer without saying anything";
const CANCELLED = "Retry cancelled";

/** What is needed of the runner's dependencies. */
type RetryDeps = Pick<TurnRunnerDeps<never>, "retry" | "clock" | "random" | "emit" | "beginWait">;

/** The tries since the last answer that was any good. */
class Retries {
  readonly #deps: RetryDeps;
  readonly #signal: AbortSignal;
  #faults = 0;
  #empties = 0;

  constructor(deps: RetryDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  /** Passes an event on; a good answer ends the tries. */
  async announce(event: EngineEvent): Promise<void> {
    await this.#deps.emit(event);
    const isAnswer = event.type === "message_end" && event.message.role === "assistant";
    if (isAnswer && isGood(event.message)) await this.#end(true);
  }

  /** @returns whether to try again, after the wait */
  async afterFault({ message, fault }: LoopEnd): Promise<boolean> {
    const { retry, random } = this.#deps;
    const turn = { message, fault, retries: this.#faults };
    const settings = retry();
    const decision = decideRetry(turn, settings, random.next());
    const errorMessage = message.errorMessage ?? "unknown error";
    if (!decision.retry) return this.#giveUp(decision, errorMessage);
    this.#faults++;
    return this.#wait(decision.delayMs, settings.maxRetries, errorMessage);
  }

  async afterEmpty(): Promise<boolean> {
    const { retry, random } = this.#deps;
    const decision = decideEmptyRetry(this.#empties, retry(), random.next());
    if (!decision.retry) return this.#giveUp(decision, SAID_NOTHING);
    this.#empties++;
    return this.#wait(decision.delayMs, MAX_EMPTY_RETRIES, SAID_NOTHING);
  }

  async cancel(end: LoopEnd): Promise<LoopEnd> {
    await this.#end(false, CANCELLED);
    return end;
  }

  get #attempt(): number {
    return this.#faults + this.#empties;
  }

  async #wait(delayMs: number, maxAttempts: number, errorMessage: string): Promise<boolean> {
    const { emit, clock, beginWait } = this.#deps;
    const attempt = this.#attempt;
    const cancelled = AbortSignal.any([this.#signal, beginWait()]);
    await emit({ type: "auto_retry_start", attempt, maxAttempts, delayMs, errorMessage });
    await sleep(clock, delayMs, cancelled);
    if (!cancelled.aborted) return true;
    await this.#end(false, CANCELLED);
    return false;
  }

  async #giveUp(
    { because }: Extract<RetryDecision, { retry: false }>,
    errorMessage: string,
  ): Promise<false> {
    // A wait that is too long is told even where nothing was tried again: the person shall know why.
    if (because !== undefined) this.#faults = Math.max(this.#faults, 1);
    await this.#end(false, because ?? errorMessage);
    return false;
  }

  async #end(success: boolean, finalError?: string): Promise<void> {
    const attempt = this.#attempt;
    if (attempt === 0) return;
    this.#faults = 0;
    this.#empties = 0;
    await this.#deps.emit({
      type: "auto_retry_end",
      success,
      attempt,
      ...(finalError !== undefined && { finalError }),
    });
  }
}

function isGood(message: AssistantMessage): boolean {
  switch (message.stopReason) {
    case "error":
    case "aborted":
      return false;
    case "length":
    case "toolUse":
    case "stop":
      return !isEmptyAnswer(message);
  }
}
