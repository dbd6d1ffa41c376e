/** The live object on a session's active branch: takes prompts, runs them one at a time, records what comes of it. */

import type { QueueModes, QueueName } from "@omp/agent";
import type { Message } from "@omp/ai/schema";
import type { SessionLog } from "@omp/session";
import { ignore, UserError } from "@omp/std";
import type { Charge } from "../protocol/commands/ledger.ts";
import type { PromptFields, PromptResult } from "../protocol/commands/run.ts";
import type { EngineEvent } from "../protocol/event.ts";
import type { RetrySettings } from "../settings/schema/retry.ts";
import { ActiveBranch } from "./active-branch.ts";
import { Executions, type ExecutionsDeps } from "./executions.ts";
import { Hints } from "./hints.ts";
import { PersonInbox, type Waiting } from "./inbox.ts";
import { openingOf, type IntakeDeps } from "./intake.ts";
import { resultOf } from "./result.ts";
import { Run, type RunDeps } from "./run.ts";
import type { StructuredAnswer } from "./structured.ts";

export interface ConversationDeps<Hosts>
  extends RunDeps<Hosts>, Pick<IntakeDeps, "loadFiles" | "loadPictures"> {
  readonly log: SessionLog;
  readonly retry: RetrySettings;
  readonly queueModes: QueueModes;
  readonly execute: ExecutionsDeps["run"];
  /** A prompt is about to be answered. */
  onPrompt?(text: string, log: SessionLog): void;
  publish(event: EngineEvent): void;
}

interface Running<Hosts> {
  readonly abort: AbortController;
  readonly ended: Promise<unknown>;
  /** As soon as the prompt is in. */
  run?: Run<Hosts>;
}

export class Conversation<Hosts> {
  readonly #deps: ConversationDeps<Hosts>;
  /** For the next request. */
  readonly hints = new Hints();
  readonly inbox: PersonInbox;
  readonly executions: Executions;
  #branch: ActiveBranch;
  #running: Running<Hosts> | undefined;
  #retry: RetrySettings;

  constructor(deps: ConversationDeps<Hosts>) {
    this.#deps = deps;
    this.#retry = deps.retry;
    this.#branch = new ActiveBranch(deps.log, deps);
    this.inbox = new PersonInbox(deps.queueModes, {
      intake: (prompt) => openingOf(prompt, deps),
      add: (message) => this.#branch.add(message),
      changed: () => deps.publish({ type: "queue_change" }),
    });
    this.executions = new Executions({
      run: deps.execute,
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
    return this.#running !== undefined;
  }

  get isAutoRetryEnabled(): boolean {
    return this.#retry.enabled;
  }

  set isAutoRetryEnabled(enabled: boolean) {
    this.#retry = { ...this.#retry, enabled };
  }

  /** Resolves when the run has ended and is on the disk, or at once where the prompt was queued. */
  async prompt(prompt: PromptFields): Promise<PromptResult> {
    if (this.#running) return this.#queuePrompt(prompt, prompt.streamingBehavior);
    const abort = new AbortController();
    const ended = this.#runPrompt(prompt, abort.signal);
    this.#running = { abort, ended };
    try {
      return await ended;
    } finally {
      this.#running = undefined;
      this.executions.release();
    }
  }

  async abort(): Promise<void> {
    const running = this.#running;
    running?.abort.abort();
    await running?.ended.catch((error) => ignore(error, "the prompt's own caller hears of it"));
  }

  abortRetry(): void {
    this.#running?.run?.abortRetry();
  }

  clearQueue(): Waiting {
    return this.inbox.clear();
  }

  /** Goes on in another session; the one before is closed when the new one is ready. */
  async open(log: SessionLog, { keepsMessages = false } = {}): Promise<void> {
    await this.settle();
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
    } while (this.#running);
  }

  /** Reads the active branch again. @param options.goesOn its leaf is still that of the run in progress */
  reload(options?: { readonly goesOn?: boolean }): void {
    this.#branch.reload(options);
  }

  /** Requests beside the conversation have no message that tells what they cost. */
  noteCharge({ purpose, model, usage }: Charge): void {
    if (purpose === "turn" || purpose === "retry" || usage.totalTokens === 0) return;
    this.#branch.noteUsage({ purpose, model, usage });
  }

  /** Tells the log and the front ends of the model and thinking level that are chosen now. */
  noteModel(): void {
    this.#branch.noteChange();
    const { model, thinking: thinkingLevel } = this.#deps.model.current;
    this.#deps.publish({ type: "model_change", model, thinkingLevel });
  }

  async close(): Promise<void> {
    await this.settle();
    this.#branch.noteExit();
    await this.log.close();
  }

  async #queuePrompt(prompt: PromptFields, queue: QueueName | undefined): Promise<PromptResult> {
    if (queue === undefined) {
      throw new UserError(
        "busy",
        "A run is already in progress. Queue the message with streamingBehavior steer or followUp.",
      );
    }
    await this.inbox.add(queue, prompt);
    return { stopReason: "stop", text: "", thinking: "", isQueued: true };
  }

  async #runPrompt(prompt: PromptFields, signal: AbortSignal): Promise<PromptResult> {
    const opening = await openingOf(prompt, this.#deps);
    const goal = prompt.outputSchema && (await goalOf(prompt.outputSchema));
    const branch = this.#branch;
    const before = branch.messages.at(-1);
    branch.start();
    branch.emit({ type: "agent_start" });
    // What is left of the run before was said before this.
    this.inbox.deliver("steer");
    for (const message of opening) branch.add(message);
    // From the first prompt on the session is worth a file: a prompt lost to a crash is a loss.
    branch.log.persist();
    this.#deps.onPrompt?.(prompt.text, branch.log);
    const run = this.#runOn(branch, goal, signal);
    if (this.#running) this.#running.run = run;
    if (goal) this.#deps.tools.offer("run", [goal.tool]);
    try {
      const end = await run.toEnd();
      branch.emit({ type: "agent_end", messages: branch.after(before) });
      return resultOf(end.message, { signal, goal });
    } finally {
      if (goal) this.#deps.tools.offer("run", []);
    }
  }

  #runOn(branch: ActiveBranch, goal: StructuredAnswer | undefined, signal: AbortSignal) {
    const { inbox, hints } = this;
    return new Run(this.#deps, {
      branch,
      inbox,
      hints,
      goal,
      signal,
      retry: () => this.#retry,
      onTurnEnd: () => this.executions.release(),
    });
  }
}

async function goalOf(
  schema: NonNullable<PromptFields["outputSchema"]>,
): Promise<StructuredAnswer> {
  const { StructuredAnswer } = await import("./structured.ts");
  return new StructuredAnswer(schema);
}
