/** One run on the active branch: turns until nobody has anything to say, recorded as they come. */

import type { Inbox, LoopDeps, LoopEnd } from "@omp/agent";
import type { AssistantMessage, Message, ModelStream, ToolChoice } from "@omp/ai/schema";
import type { Clock, Random } from "@omp/std";
import type { ActiveModel } from "../model/active-model.ts";
import type { EngineEvent } from "../protocol/event.ts";
import type { RetrySettings } from "../settings/schema/retry.ts";
import type { ActiveBranch } from "./active-branch.ts";
import type { Hints } from "./hints.ts";
import type { Maintenance, Trouble } from "./maintenance.ts";
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
  readonly maintenance?: Maintenance;
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
  /** The conversation was compacted for the turn in progress. */
  #isRecovered = false;
  /** The model was told to go on, and has not used a tool since. */
  #hasContinued = false;
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
      const isCompacted = await this.#keepWithin(end.message);
      if (inbox.deliver("steer") || inbox.deliver("followUp")) continue;
      if (isCompacted && (await this.#continue())) continue;
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
      recover: (trouble, message) => this.#recover(trouble, message),
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
        if (isRest(event.message)) this.#isRecovered = false;
        return branch.recorder.settle().then(() => branch.emit(event));
      case "tool_execution_end":
        if (goal && event.isError && event.toolName === goal.tool.name) goal.correct();
        break;
      case "turn_end":
        branch.emit(event);
        onTurnEnd();
        return event.toolResults.length > 0 ? this.#betweenTurns(event.message) : undefined;
      default:
        break;
    }
    branch.emit(event);
  }

  /** The model has made something since it was told to go on. */
  async #betweenTurns(answer: AssistantMessage): Promise<void> {
    this.#hasContinued = false;
    if (!isRest(answer) || this.#parts.signal.aborted) return;
    if (this.#deps.maintenance?.isMidRun) await this.#keepWithin(answer);
  }

  /** @returns whether the conversation was compacted */
  async #keepWithin(answer: AssistantMessage): Promise<boolean> {
    const { maintenance } = this.#deps;
    const { signal } = this.#parts;
    if (!maintenance || !this.#isOfCurrent(answer)) return false;
    if (!(await maintenance.isOver(answer)) || (await this.#promote())) return false;
    return maintenance.compact("threshold", signal);
  }

  /** Once until the model has done something: a compaction must not keep a run going that is over. */
  async #continue(): Promise<boolean> {
    const text = this.#hasContinued ? undefined : await this.#deps.maintenance?.continuation();
    if (text === undefined) return false;
    this.#hasContinued = true;
    const timestamp = this.#deps.clock.now();
    this.#parts.branch.add({ role: "developer", content: text, timestamp, attribution: "agent" });
    return true;
  }

  async #recover(trouble: Trouble, answer: AssistantMessage): Promise<boolean> {
    const { maintenance } = this.#deps;
    const { branch, signal } = this.#parts;
    if (!this.#isOfCurrent(answer)) return false;
    const isIncomplete = trouble === "incomplete";
    // An answer may be longer than the model can make it, however much room there is.
    if (isIncomplete && (this.#isRecovered || !(await maintenance?.isLarge()))) return false;
    const putBack = isIncomplete ? branch.takeBack(answer) : () => {};
    if (!putBack) return false;
    if (await this.#promote()) return true;
    // What did not help once for this turn does not help twice.
    if (!this.#isRecovered && (await maintenance?.compact(trouble, signal))) {
      this.#isRecovered = true;
      return true;
    }
    putBack();
    return false;
  }

  /** The person may have chosen another model meanwhile: what its predecessor met with does not concern it. */
  #isOfCurrent({ provider, model }: AssistantMessage): boolean {
    const { current } = this.#deps.model;
    return provider === current.model.provider && model === current.model.id;
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

/** Whether an answer is whole. */
function isRest({ stopReason }: AssistantMessage): boolean {
  return stopReason === "stop" || stopReason === "toolUse";
}
