/** The active branch of one session: takes prompts, runs them one at a time, records what comes of it. */

import type { LoopDeps } from "@omp/agent";
import type { AssistantMessage, Message } from "@omp/ai/schema";
import type { Files } from "@omp/host";
import { contextOf, type SessionLog } from "@omp/session";
import { ignore, UserError, type Clock, type Random } from "@omp/std";
import type { ActiveModel } from "../model/active-model.ts";
import type { CommandOf } from "../protocol/command.ts";
import type { PromptResult } from "../protocol/commands/run.ts";
import type { EngineEvent } from "../protocol/event.ts";
import type { RetrySettings } from "../settings/schema/retry.ts";
import { userMessage, type Pictures } from "./intake.ts";
import { Recorder } from "./recorder.ts";
import { runTurns } from "./turn-runner.ts";

export interface ConversationDeps<Hosts> extends Omit<LoopDeps<Hosts>, "emit"> {
  readonly log: SessionLog;
  /** Written to the log when it differs from what the log says. */
  readonly model: ActiveModel;
  /** Whether a larger model takes over when the context does not fit. */
  readonly promotesModel: boolean;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly retry: RetrySettings;
  loadPictures(): Promise<Pictures>;
  publish(event: EngineEvent): void;
}

/** The disk starts to work when the request is on its way, so that they do not compete. */
const REQUEST_FIRST_MS = 1;

interface Run {
  readonly abort: AbortController;
  readonly ended: Promise<unknown>;
}

export class Conversation<Hosts> {
  readonly #deps: ConversationDeps<Hosts>;
  #log: SessionLog;
  #recorder: Recorder;
  #messages: Message[] = [];
  #areChoicesNoted = false;
  #run: Run | undefined;
  /** The wait before a retry. */
  #wait: AbortController | undefined;
  readonly #syncSoon = () => this.#recorder.begin();

  constructor(deps: ConversationDeps<Hosts>) {
    this.#deps = deps;
    this.#log = deps.log;
    this.#recorder = new Recorder(deps.log);
    this.reload();
  }

  /** The session that entries go to. */
  get log(): SessionLog {
    return this.#log;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Resolves when the run has ended and is on the disk. */
  async prompt(command: CommandOf<"prompt">): Promise<PromptResult> {
    if (this.#run) throw new UserError("busy", "A run is already in progress.");
    const abort = new AbortController();
    const ended = this.#runPrompt(command, abort.signal);
    this.#run = { abort, ended };
    try {
      return await ended;
    } finally {
      this.#run = undefined;
    }
  }

  async abort(): Promise<void> {
    const run = this.#run;
    run?.abort.abort();
    await run?.ended.catch((error) => ignore(error, "the prompt's own caller hears of it"));
  }

  /** Ends the wait before a retry, if there is one; the run then ends with the failure. */
  abortRetry(): Promise<void> {
    this.#wait?.abort();
    return Promise.resolve();
  }

  /** Goes on in another session; the one before is closed when the new one is ready. */
  async open(log: SessionLog, { keepsMessages = false } = {}): Promise<void> {
    await this.settle();
    const before = this.#log;
    this.#log = log;
    this.#recorder = new Recorder(log);
    if (!keepsMessages) this.reload();
    if (before !== log) await before.close();
  }

  /** Nothing runs any more, and all of it is on the disk. */
  async settle(): Promise<void> {
    // A prompt may have come while the disk was at work.
    do {
      await this.abort();
      await this.#recorder.settle();
    } while (this.#run);
  }

  /** Reads the active branch again: its leaf is another one. */
  reload(): void {
    this.#messages = [...contextOf(this.#log.branch()).messages];
    this.#areChoicesNoted = false;
  }

  async close(): Promise<void> {
    await this.abort();
    await this.#recorder.settle();
    await this.#log.close();
  }

  /** Tells the log what this run does differently. With the first prompt, since to look changes nothing. */
  #noteChoices(): void {
    if (this.#areChoicesNoted) return;
    const context = choicesOf(this.#log.branch());
    const { selector, thinking } = this.#deps.model;
    if (context.model !== selector) this.#log.append({ type: "model_change", model: selector });
    const thinkingLevel = thinking === "off" ? null : thinking;
    if (context.thinkingLevel !== thinkingLevel) {
      this.#log.append({ type: "thinking_level_change", thinkingLevel });
    }
    this.#areChoicesNoted = true;
  }

  async #runPrompt(command: CommandOf<"prompt">, signal: AbortSignal): Promise<PromptResult> {
    const message = await userMessage(command.text, command.files ?? [], this.#deps);
    const before = this.#messages.length;
    this.#noteChoices();
    this.#emit({ type: "agent_start" });
    this.#emit({ type: "message_start", message });
    this.#emit({ type: "message_end", message });
    this.#messages.push(message);
    // From the first prompt on the session is worth a file: a prompt lost to a crash is a loss.
    this.#log.persist();
    const end = await runTurns(this.#messages, this.#turnDeps(), signal);
    this.#emit({ type: "agent_end", messages: this.#messages.slice(before) });
    await this.#recorder.settle();
    return resultOf(end.message, signal);
  }

  #turnDeps() {
    const deps = this.#deps;
    return {
      ...deps,
      emit: (event: EngineEvent) => {
        if (event.type === "turn_start") this.#deps.clock.after(REQUEST_FIRST_MS, this.#syncSoon);
        const isAnswer = event.type === "message_end" && event.message.role === "assistant";
        if (isAnswer) return this.#recorder.settle().then(() => this.#emit(event));
        return this.#emit(event);
      },
      promote: () => this.#promote(),
      beginWait: () => (this.#wait = new AbortController()).signal,
    };
  }

  async #promote(): Promise<boolean> {
    const { model, promotesModel } = this.#deps;
    const before = model.selector;
    if (!promotesModel || !(await model.promote())) return false;
    this.#recorder.recordTemporaryModel(model.selector);
    const { contextWindow } = model.current.model;
    const text = `The context is too long for ${before}; ${model.selector} (${contextWindow} tokens) goes on.`;
    this.#emit({ type: "notice", level: "info", text });
    return true;
  }

  #emit(event: EngineEvent): void {
    this.#recorder.record(event);
    this.#deps.publish(event);
  }
}

function resultOf(message: AssistantMessage, signal: AbortSignal): PromptResult {
  const text = textOf(message, "text");
  const thinking = textOf(message, "thinking");
  const stopReason = signal.aborted ? "aborted" : message.stopReason;
  const { errorMessage } = message;
  return { stopReason, text, thinking, ...(errorMessage === undefined ? {} : { errorMessage }) };
}

function textOf(message: AssistantMessage, kind: "text" | "thinking"): string {
  return message.content
    .map((block) => {
      if (block.type === "text") return kind === "text" ? block.text : "";
      return block.type === "thinking" && kind === "thinking" ? block.thinking : "";
    })
    .join("");
}
