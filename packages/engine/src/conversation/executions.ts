/** What the person runs beside the conversation: started, aborted, and noted when no tool results are in the way. */

import type { ForeignMessage } from "@omp/session";
import type { ExecutionFields, ExecutionResult } from "../protocol/commands/run.ts";

export interface ExecutionsDeps {
  run(
    fields: ExecutionFields,
    signal: AbortSignal,
  ): Promise<{ readonly result: ExecutionResult; readonly message: ForeignMessage }>;
  /** Whether a turn is in progress: its tool results must stay next to their calls. */
  isBusy(): boolean;
  add(message: ForeignMessage): void;
}

export class Executions {
  readonly #deps: ExecutionsDeps;
  readonly #running = new Map<AbortController, Promise<unknown>>();
  #held: ForeignMessage[] = [];

  constructor(deps: ExecutionsDeps) {
    this.#deps = deps;
  }

  async execute(fields: ExecutionFields): Promise<ExecutionResult> {
    const abort = new AbortController();
    const running = this.#deps.run(fields, abort.signal);
    this.#running.set(abort, running);
    try {
      const { result, message } = await running;
      this.#held.push(message);
      if (!this.#deps.isBusy()) this.release();
      return result;
    } finally {
      this.#running.delete(abort);
    }
  }

  /** Resolves when all of them have ended and are noted. */
  async abort(): Promise<void> {
    const running = [...this.#running];
    for (const [abort] of running) abort.abort();
    await Promise.allSettled(running.map(([, ended]) => ended));
  }

  /** Notes what was held back. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const message of held) this.#deps.add(message);
  }
}
