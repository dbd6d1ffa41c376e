/**
 * Writes finished messages to the session log before anybody hears of them.
 *
 * The promise: what was announced has been handed to the operating system (it survives the death of
 * this process), and it is on the disk (it survives a power cut) before the model's answer to it is
 * announced and before a prompt resolves. The disk works while the model does.
 */

import type { EntryDraft, SessionLog, StoredMessage } from "@omp/session";
import { ignore } from "@omp/std";
import type { EngineEvent } from "../protocol/event.ts";

export class Recorder {
  readonly #log: SessionLog;
  /** Entries of failed answers that nothing has made good yet. */
  #failed: string[] = [];
  #syncing: Promise<void> | undefined;

  constructor(log: SessionLog) {
    this.#log = log;
  }

  record(event: EngineEvent): void {
    if (event.type === "message_end") this.#recordMessage(event.message);
    if (event.type === "auto_retry_end" && event.success) this.#markRecovered();
  }

  /** Anything but a message. */
  append(draft: EntryDraft): void {
    this.#log.append(draft);
    this.#syncing = undefined;
  }

  /** Starts to bring everything recorded so far to the disk, without waiting for it. */
  begin(): void {
    this.settle().catch((error) => ignore(error, "whoever waits for `settle` hears it"));
  }

  /** Resolves when everything recorded so far is on the disk. */
  settle(): Promise<void> {
    return (this.#syncing ??= this.#log.sync());
  }

  #recordMessage(message: StoredMessage): void {
    const { id } = this.#log.append({ type: "message", message });
    this.#syncing = undefined;
    if (message.role === "user") this.#failed = [];
    if (message.role === "assistant" && message.stopReason === "error") this.#failed.push(id);
  }

  /** An entry is never changed, so the mark is an entry of its own. */
  #markRecovered(): void {
    if (this.#failed.length === 0) return;
    const data = { entries: this.#failed };
    this.#log.append({ type: "custom", customType: "auto_retry_recovered", data });
    this.#failed = [];
    this.#syncing = undefined;
  }
}
