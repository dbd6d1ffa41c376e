/** One run on the active branch: turns until nobody has anything to say, recorded as they come. */

import type { Inbox, LoopDeps, LoopEnd } from "@omp/agent";
import type { Message, ModelStream, ToolChoice } from "@omp/ai/schema";
import type { Clock, Random } from "@omp/std";
import type { ActiveModel } from "../model/active-model.ts";
import type { EngineEvent } from "../protocol/event.ts";
import type { RetrySettings } from "../settings/schema/retry.ts";
import type { ActiveBranch } from "./active-branch.ts";
import type { Hints } from "./hints.ts";
import type { OfferedTools } from "./offered-tools.ts";
import type { StructuredAnswer } from "./structured.ts";
import { runTurns, type TurnRunnerDeps } from "./turn-runner.ts";

/** What runs take of the house. */
export interface RunDeps<Hosts> extends Pick<LoopDeps<Hosts>, "gate" | "hosts" | "cwd"> {
  readonly model: ActiveModel;
  /** Whether a larger model takes over when the context does not fit. */
  readonly promotesModel: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly tools: OfferedTools<Hosts>;
  stream(
    messages: readonly Message[],
    signal: AbortSignal,
    options: { readonly toolChoice?: ToolChoice; readonly isRetry?: boolean },
  ): ModelStream;
}

/** What a run shares with its conversation. */
export interface RunParts {
  readonly branch: ActiveBranch;
  readonly inbox: Inbox;
  readonly hints: Hints;
  /** What the answer must satisfy, if anything. */
  readonly goal: StructuredAnswer | undefined;
  readonly signal: AbortSignal;
  retry(): RetrySettings;
  /** A turn is over: its tool results stand next to their calls. */
  onTurnEnd(): void;
}

/** The disk starts to work when the request is on its way, so that they do not compete. */
const REQUEST_FIRST_MS = 1;

export class Run<Hosts> {
  readonly #deps: RunDeps<Hosts>;
  readonly #parts: RunParts;
  /** The wait before a retry. */
  #wait: AbortController | undefined;
  #isRetry = false;
  readonly #syncSoon = () => this.#parts.branch.recorder.begin();

  constructor(deps: RunDeps<Hosts>, parts: RunParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** Ends the wait before a retry, if there is one; the run then ends with the failure. */
  abortRetry(): void {
    this.#wait?.abort();
  }

  /** What is said while the disk is at work is heard as well. */
  async toEnd(): Promise<LoopEnd> {
    const { branch, inbox, hints, goal, signal } = this.#parts;
    const turnDeps = this.#turnDeps();
    for (;;) {
      const end = await runTurns(branch.messages, turnDeps, signal);
      await branch.recorder.settle();
      const { stopReason } = end.message;
      if (signal.aborted || stopReason === "error" || stopReason === "aborted") return end;
      if (goal?.hasFinished) return end;
      if (inbox.deliver("steer") || inbox.deliver("followUp")) continue;
      if (!goal?.correct()) return end;
      hints.force(goal.choice, goal.reminder);
    }
  }

  #turnDeps(): TurnRunnerDeps<Hosts> {
    const { gate, hosts, cwd, clock, random, tools } = this.#deps;
    const { inbox, goal, retry } = this.#parts;
    return {
      gate,
      hosts,
      cwd,
      clock,
      random,
      tools: tools.byName,
      retry,
      inbox,
      ...(goal && { hasFinished: () => goal.hasFinished }),
      stream: (messages, signal) => this.#request(messages, signal),
      emit: (event) => this.#announce(event),
      promote: () => this.#promote(),
      beginWait: () => (this.#wait = new AbortController()).signal,
    };
  }

  #request(messages: readonly Message[], signal: AbortSignal): ModelStream {
    const { branch, hints } = this.#parts;
    for (const text of hints.takeReminders()) branch.addReminder(text);
    const toolChoice = hints.sendChoice();
    const isRetry = this.#isRetry;
    this.#isRetry = false;
    return this.#deps.stream(messages, signal, { isRetry, ...(toolChoice && { toolChoice }) });
  }

  #announce(event: EngineEvent): void | Promise<void> {
    const { branch, hints, goal, onTurnEnd } = this.#parts;
    switch (event.type) {
      case "turn_start":
        this.#deps.clock.after(REQUEST_FIRST_MS, this.#syncSoon);
        break;
      case "auto_retry_start":
        this.#isRetry = true;
        break;
      case "message_end":
        if (event.message.role !== "assistant") break;
        if (event.message.stopReason !== "error") hints.answered();
        return branch.recorder.settle().then(() => branch.emit(event));
      case "tool_execution_end":
        if (goal && event.isError && event.toolName === goal.tool.name) goal.correct();
        break;
      case "turn_end":
        branch.emit(event);
        return onTurnEnd();
      default:
        break;
    }
    branch.emit(event);
  }

  async #promote(): Promise<boolean> {
    const { model, promotesModel } = this.#deps;
    const { branch } = this.#parts;
    const before = model.selector;
    if (!promotesModel || !(await model.promote())) return false;
    // The session's own choice stays what it is.
    branch.recorder.append({ type: "model_change", model: model.selector, role: "temporary" });
    const { contextWindow } = model.current.model;
    const text = `The context is too long for ${before}; ${model.selector} (${contextWindow} tokens) goes on.`;
    branch.emit({ type: "notice", level: "info", text });
    return true;
  }
}
