/**
 * Writes finished messages to the session log before anybody hears of them.
 *
 * The promise: what was announced has been handed to the operating system (it survives the death of
 * this process), and it is on the disk (it survives a power cut) before the next model request leaves
 * and before a prompt resolves.
 */

import type { AgentEvent } from "@omp/agent";
import type { SessionLog } from "@omp/session";

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

  /** Resolves when everything recorded so far is on the disk. */
  settle(): Promise<void> {
    return (this.#syncing ??= this.#log.sync());
  }
}
