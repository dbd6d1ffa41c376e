/** The active branch of the open session: what the model sees of it, and the log that keeps it. */

import type { AssistantMessage, Message } from "@omp/ai/schema";
import {
  asMessage,
  choicesOf,
  contextOf,
  fieldsOf,
  readOnlyError,
  type Fields,
  type SessionLog,
  type StoredMessage,
} from "@omp/session";
import { ignore, type Clock } from "@omp/std";
import type { ActiveModel } from "../model/active-model.ts";
import type { EngineEvent } from "../protocol/event.ts";
import { interruptedAnswer } from "./interrupted.ts";
import { Recorder } from "./recorder.ts";

export interface ActiveBranchDeps {
  readonly model: Pick<ActiveModel, "current" | "selector" | "thinking">;
  readonly clock: Clock;
  publish(event: EngineEvent): void;
}

const REMINDER = "reminder";
const USAGE = "usage";
const EXIT = "session_exit";

export class ActiveBranch {
  readonly #deps: ActiveBranchDeps;
  readonly recorder: Recorder;
  #messages: Message[] = [];
  #isStarted = false;

  constructor(
    readonly log: SessionLog,
    deps: ActiveBranchDeps,
    kept?: Message[],
  ) {
    this.#deps = deps;
    this.recorder = new Recorder(log);
    if (kept) this.#messages = kept;
    else this.reload();
  }

  /** What the model sees. The loop adds to it. */
  get messages(): Message[] {
    return this.#messages;
  }

  /** @param goesOn the leaf is still that of the run in progress, which works on the same list */
  reload({ goesOn = false } = {}): void {
    const { messages } = contextOf(this.log.branch());
    if (!goesOn) {
      this.#messages = [...messages];
      this.#isStarted = false;
      return;
    }
    this.#messages.length = 0;
    for (const message of messages) this.#messages.push(message);
  }

  /** The messages after this one; all but the summary where a compaction has taken it. */
  after(message: Message | undefined): readonly Message[] {
    if (!message) return this.#messages.slice();
    return this.#messages.slice(Math.max(1, this.#messages.lastIndexOf(message) + 1));
  }

  /** Takes the latest answer out; its entry stays, on a branch of its own. @returns what puts it back */
  takeBack(answer: AssistantMessage): (() => void) | undefined {
    const { log } = this;
    const entry = log.leafId === null ? undefined : log.entry(log.leafId);
    const isLatest =
      entry && fieldsOf(entry).message === answer && this.#messages.at(-1) === answer;
    if (!isLatest) return undefined;
    log.moveLeaf(entry.parentId);
    this.#messages.pop();
    return () => {
      log.moveLeaf(entry.id);
      this.#messages.push(answer);
    };
  }

  emit(event: EngineEvent): void {
    this.recorder.record(event);
    this.#deps.publish(event);
  }

  /** A message that no model made, in the form it is stored in. */
  add(message: StoredMessage): void {
    this.emit({ type: "message_start", message });
    this.emit({ type: "message_end", message });
    const seen = asMessage(message as Fields, this.#deps.clock.now());
    if (seen) this.#messages.push(seen);
  }

  /** For the model alone. */
  addReminder(text: string): void {
    const timestamp = this.#deps.clock.now();
    const attribution = "agent";
    this.recorder.append({
      type: "custom_message",
      customType: REMINDER,
      content: text,
      display: false,
      attribution,
    });
    this.#messages.push({ role: "user", content: text, timestamp, attribution });
  }

  /** Before the first prompt, since to look changes nothing: how the last run ended, what is chosen now. */
  start(): void {
    const { access, path = "" } = this.log;
    if (access.kind === "read-only") throw readOnlyError(path, access);
    if (this.#isStarted) return;
    const { model, clock } = this.#deps;
    const interrupted = interruptedAnswer(this.log, model.current.model, clock.now());
    if (interrupted) this.recorder.append({ type: "message", message: interrupted });
    this.#noteChoices();
    this.#isStarted = true;
  }

  /** The model or its thinking level is another one. */
  noteChange(): void {
    if (this.#isStarted) this.#noteChoices();
  }

  /** Beside the branch: what a title or a summary cost is no part of the conversation. */
  noteUsage(data: Fields): void {
    const { leafId } = this.log;
    try {
      this.recorder.append({ type: "custom", customType: USAGE, data });
      this.log.moveLeaf(leafId);
    } catch (error) {
      ignore(error, "a session that is closed or read-only has nothing to be billed to");
    }
  }

  /** A session that was worked with says that its program ended well. Not worth a wait for the disk. */
  noteExit(): void {
    if (!this.#isStarted || this.log.path === undefined) return;
    const recordedAt = new Date(this.#deps.clock.now()).toISOString();
    const data = { reason: "exit", kind: "normal", recordedAt };
    try {
      this.recorder.append({ type: "custom", customType: EXIT, data });
    } catch (error) {
      ignore(error, "an end without a mark is no loss");
    }
  }

  /** Tells the log what is chosen, where it says something else. */
  #noteChoices(): void {
    const noted = choicesOf(this.log.branch());
    const { selector, thinking } = this.#deps.model;
    if (noted.model !== selector) this.recorder.append({ type: "model_change", model: selector });
    const thinkingLevel = thinking === "off" ? null : thinking;
    if (noted.thinkingLevel === thinkingLevel) return;
    this.recorder.append({ type: "thinking_level_change", thinkingLevel });
  }
}
