/**
 * Writes finished messages to the session log before anybody hears of them.
 *
 * The promise: what was announced has been handed to the operating system (it survives the death of
 * this process), and it is on the disk (it survives a power cut) before the model's answer to it is
 * announced and before a prompt resolves. The disk works while the model does.
 */

import type { AgentEvent } from "@omp/agent";
import type { SessionLog } from "@omp/session";
import { ignore } from "@omp/std";

export class Recorder {
  readonly #log: SessionLog;
  #syncing: Promise<void> | undefined;

  constructor(log: SessionLog) {
    this.#log = log;
  }

  record(event: AgentEvent): void {
    if (event.type !== "message_end") return;
    this.#log.append({ type: "message", message: event.message });
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
}
