/** The live object on a session's active branch: takes prompts, runs them one at a time, records what comes of it. */

import {
  MessageQueue,
  type LoopDeps,
  type LoopEnd,
  type QueueModes,
  type QueueName,
} from "@omp/agent";
import type { Message, ModelStream, ToolChoice } from "@omp/ai/schema";
import type { Files } from "@omp/host";
import type { SessionLog } from "@omp/session";
import { ignore, UserError, type Clock, type Random } from "@omp/std";
import type { ActiveModel } from "../model/active-model.ts";
import type {
  ExecutionFields,
  PromptFields,
  PromptResult,
  Said,
} from "../protocol/commands/run.ts";
import type { EngineEvent } from "../protocol/event.ts";
import type { RetrySettings } from "../settings/schema/retry.ts";
import { ActiveBranch } from "./active-branch.ts";
import { Executions, type ExecutionsDeps } from "./executions.ts";
import { Hints } from "./hints.ts";
import { openingOf, type Opening, type Pictures } from "./intake.ts";
import type { OfferedTools } from "./offered-tools.ts";
import { resultOf } from "./result.ts";
import type { StructuredAnswer } from "./structured.ts";
import { runTurns, type TurnRunnerDeps } from "./turn-runner.ts";

export interface ConversationDeps<Hosts> extends Pick<
  LoopDeps<Hosts>,
  "gate" | "hosts" | "cwd" | "clock"
> {
  readonly log: SessionLog;
  /** Written to the log when it differs from what the log says. */
  readonly model: ActiveModel;
  /** Whether a larger model takes over when the context does not fit. */
  readonly promotesModel: boolean;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly retry: RetrySettings;
  readonly queueModes: QueueModes;
  readonly tools: OfferedTools<Hosts>;
  loadPictures(): Promise<Pictures>;
  execute: ExecutionsDeps["run"];
  /** A prompt is about to be answered. */
  onPrompt?(text: string, log: SessionLog): void;
  publish(event: EngineEvent): void;
  stream(
    messages: readonly Message[],
    signal: AbortSignal,
    options: { readonly toolChoice?: ToolChoice },
  ): ModelStream;
}

/** The disk starts to work when the request is on its way, so that they do not compete. */
const REQUEST_FIRST_MS = 1;

interface Run {
  readonly abort: AbortController;
  readonly ended: Promise<unknown>;
}

/** What waits: as the person said it, and as the model will get it. */
interface Queued {
  readonly said: Said;
  readonly opening: Opening;
}

export class Conversation<Hosts> {
  readonly #deps: ConversationDeps<Hosts>;
  readonly #queue: MessageQueue<Queued>;
  /** For the next request. */
  readonly hints = new Hints();
  readonly executions: Executions;
  #branch: ActiveBranch;
  #run: Run | undefined;
  /** The wait before a retry. */
  #wait: AbortController | undefined;
  #retry: RetrySettings;
  readonly #syncSoon = () => this.#branch.recorder.begin();

  constructor(deps: ConversationDeps<Hosts>) {
    this.#deps = deps;
    this.#branch = new ActiveBranch(deps.log, deps);
    this.#queue = new MessageQueue(deps.queueModes);
    this.#retry = deps.retry;
    this.executions = new Executions({
      run: (fields: ExecutionFields, signal) => deps.execute(fields, signal),
      isBusy: () => this.isRunning,
      add: (message) => this.#branch.add(message),
    });
  }

  /** The session that entries go to. */
  get log(): SessionLog {
    return this.#branch.log;
  }

  get messages(): readonly Message[] {
    return this.#branch.messages;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** What waits, and how it will be delivered. */
  get queue(): QueueModes & {
    readonly steering: readonly Said[];
    readonly followUp: readonly Said[];
  } {
    const saidIn = (name: QueueName) => this.#queue.waiting(name).map(({ said }) => said);
    return { ...this.#queue.modes, steering: saidIn("steer"), followUp: saidIn("followUp") };
  }

  get isAutoRetryEnabled(): boolean {
    return this.#retry.enabled;
  }

  set isAutoRetryEnabled(enabled: boolean) {
    this.#retry = { ...this.#retry, enabled };
  }

  /** Resolves when the run has ended and is on the disk, or at once where the prompt was queued. */
  async prompt(
    prompt: PromptFields & { readonly streamingBehavior?: QueueName },
  ): Promise<PromptResult> {
    if (this.#run) return this.#promptMeanwhile(prompt);
    const abort = new AbortController();
    const ended = this.#runPrompt(prompt, abort.signal);
    this.#run = { abort, ended };
    try {
      return await ended;
    } finally {
      this.#run = undefined;
      this.executions.release();
    }
  }

  /** Without a run it waits for the next prompt. */
  async enqueue(queue: QueueName, said: PromptFields): Promise<void> {
    const opening = await openingOf(said, this.#deps);
    const { text, images } = said;
    this.#queue.add(queue, { said: images ? { text, images } : { text }, opening });
    this.#deps.publish({ type: "queue_change" });
  }

  setModes(modes: Partial<QueueModes>): void {
    this.#queue.setModes(modes);
  }

  /** Takes back what waits to be said. */
  clearQueue(): { readonly steering: readonly Said[]; readonly followUp: readonly Said[] } {
    const { steering, followUp } = this.queue;
    const wasEmpty = this.#queue.isEmpty;
    this.#queue.clear();
    if (!wasEmpty) this.#deps.publish({ type: "queue_change" });
    return { steering, followUp };
  }

  async abort(): Promise<void> {
    const run = this.#run;
    run?.abort.abort();
    await run?.ended.catch((error) => ignore(error, "the prompt's own caller hears of it"));
  }

  /** Ends the wait before a retry, if there is one; the run then ends with the failure. */
  abortRetry(): void {
    this.#wait?.abort();
  }

  /** Goes on in another session; the one before is closed when the new one is ready. */
  async open(log: SessionLog, { keepsMessages = false } = {}): Promise<void> {
    // Nothing waits between the last look and the exchange: no prompt can come in between.
    do await this.settle();
    while (this.#run);
    const before = this.#branch;
    this.#branch = new ActiveBranch(log, this.#deps, keepsMessages ? before.messages : undefined);
    this.hints.clear();
    if (before.log === log) return;
    await before.log
      .close()
      .catch((error) => ignore(error, "all that it holds is on the disk by now"));
  }

  /** Nothing runs any more, and all of it is on the disk. */
  async settle(): Promise<void> {
    // A prompt may have come while the disk was at work.
    do {
      await this.abort();
      await this.executions.abort();
      await this.#branch.recorder.settle();
    } while (this.#run);
  }

  /** Reads the active branch again: its leaf is another one. */
  reload(): void {
    this.#branch.reload();
  }

  /** Tells the log and the front ends of the model and thinking level that are chosen now. */
  noteModel(): void {
    this.#branch.noteChoices();
    const { model, thinking: thinkingLevel } = this.#deps.model.current;
    this.#deps.publish({ type: "model_change", model, thinkingLevel });
  }

  async close(): Promise<void> {
    await this.settle();
    this.#branch.noteExit();
    await this.log.close();
  }

  async #promptMeanwhile(
    prompt: PromptFields & { readonly streamingBehavior?: QueueName },
  ): Promise<PromptResult> {
    if (prompt.streamingBehavior === undefined) {
      throw new UserError(
        "busy",
        "A run is already in progress. Queue the message with streamingBehavior steer or followUp.",
      );
    }
    await this.enqueue(prompt.streamingBehavior, prompt);
    return { stopReason: "stop", text: "", thinking: "", isQueued: true };
  }

  async #runPrompt(prompt: PromptFields, signal: AbortSignal): Promise<PromptResult> {
    const opening = await openingOf(prompt, this.#deps);
    const goal = prompt.outputSchema && (await this.#goalOf(prompt.outputSchema));
    const branch = this.#branch;
    const before = branch.messages.length;
    branch.start();
    branch.emit({ type: "agent_start" });
    // What is left of the run before was said before this.
    this.#deliver("steer");
    for (const message of opening) branch.add(message);
    // From the first prompt on the session is worth a file: a prompt lost to a crash is a loss.
    branch.log.persist();
    this.#deps.onPrompt?.(prompt.text, branch.log);
    try {
      const end = await this.#runToEnd(goal, signal);
      branch.emit({ type: "agent_end", messages: branch.messages.slice(before) });
      return resultOf(end.message, { signal, goal });
    } finally {
      if (goal) this.#deps.tools.offer("run", []);
    }
  }

  /** Until nobody has anything to say. What comes while the disk is at work is heard as well. */
  async #runToEnd(goal: StructuredAnswer | undefined, signal: AbortSignal): Promise<LoopEnd> {
    for (;;) {
      const end = await runTurns(this.#branch.messages, this.#turnDeps(goal), signal);
      await this.#branch.recorder.settle();
      const { stopReason } = end.message;
      if (signal.aborted || stopReason === "error" || stopReason === "aborted") return end;
      if (goal?.hasFinished) return end;
      if (this.#deliver("steer") || this.#deliver("followUp")) continue;
      if (!goal?.correct()) return end;
      this.hints.force(goal.choice, goal.reminder);
    }
  }

  async #goalOf(schema: NonNullable<PromptFields["outputSchema"]>): Promise<StructuredAnswer> {
    const { StructuredAnswer } = await import("./structured.ts");
    const goal = new StructuredAnswer(schema);
    this.#deps.tools.offer("run", [goal.tool]);
    return goal;
  }

  #turnDeps(goal: StructuredAnswer | undefined): TurnRunnerDeps<Hosts> {
    const { gate, hosts, cwd, clock, random, tools } = this.#deps;
    const queue = this.#queue;
    return {
      gate,
      hosts,
      cwd,
      clock,
      random,
      tools: tools.byName,
      retry: () => this.#retry,
      inbox: {
        get interrupts() {
          return queue.interrupts;
        },
        deliver: (name) => this.#deliver(name),
      },
      ...(goal && { hasFinished: () => goal.hasFinished }),
      stream: (messages, signal) => this.#request(messages, signal),
      emit: (event) => this.#announce(event, goal),
      promote: () => this.#promote(),
      beginWait: () => (this.#wait = new AbortController()).signal,
    };
  }

  #request(messages: readonly Message[], signal: AbortSignal): ModelStream {
    for (const text of this.hints.takeReminders()) this.#branch.addReminder(text);
    const toolChoice = this.hints.sendChoice();
    return this.#deps.stream(messages, signal, toolChoice === undefined ? {} : { toolChoice });
  }

  #announce(event: EngineEvent, goal: StructuredAnswer | undefined): void | Promise<void> {
    const branch = this.#branch;
    switch (event.type) {
      case "turn_start":
        this.#deps.clock.after(REQUEST_FIRST_MS, this.#syncSoon);
        break;
      case "message_end":
        if (event.message.role !== "assistant") break;
        if (event.message.stopReason !== "error") this.hints.answered();
        return branch.recorder.settle().then(() => branch.emit(event));
      case "tool_execution_end":
        if (goal && event.isError && event.toolName === goal.tool.name) goal.correct();
        break;
      case "turn_end":
        branch.emit(event);
        return this.executions.release();
      default:
        break;
    }
    branch.emit(event);
  }

  #deliver(name: QueueName): boolean {
    const due = this.#queue.take(name);
    if (due.length === 0) return false;
    this.#deps.publish({ type: "queue_change" });
    for (const { opening } of due) for (const message of opening) this.#branch.add(message);
    return true;
  }

  async #promote(): Promise<boolean> {
    const { model, promotesModel } = this.#deps;
    const before = model.selector;
    if (!promotesModel || !(await model.promote())) return false;
    // The session's own choice stays what it is.
    this.#branch.recorder.append({
      type: "model_change",
      model: model.selector,
      role: "temporary",
    });
    const { contextWindow } = model.current.model;
    const text = `The context is too long for ${before}; ${model.selector} (${contextWindow} tokens) goes on.`;
    this.#branch.emit({ type: "notice", level: "info", text });
    return true;
  }
}
