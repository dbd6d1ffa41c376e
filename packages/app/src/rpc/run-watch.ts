/** The run as the client knows it: over with `agent_end`, a moment before the engine is free again. */

import type { EngineEvent } from "@omp/engine/protocol";
import { ignore } from "@omp/std";

export class RunWatch {
  #isTold = false;
  #isEnding = false;
  #isBroken = false;
  #ended: Promise<void> = Promise.resolve();

  /** The end was told, and the engine still writes its last lines. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Resolves when the engine takes a prompt again. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  hear({ type }: EngineEvent): void {
    if (type === "agent_start") this.#isTold = true;
    if (type !== "agent_end") return;
    this.#isTold = false;
    this.#isEnding = true;
  }

  follow(run: Promise<unknown>): void {
    this.#ended = run
      .catch((error: unknown) => {
        ignore(error, "the client is answered by the command itself");
        this.#isBroken = this.#isTold;
        this.#isTold = false;
      })
      .then(() => void (this.#isEnding = false));
  }

  /** Whether a run that was told to begin broke off untold. Says so once. */
  takeBroken(): boolean {
    const isBroken = this.#isBroken;
    this.#isBroken = false;
    return isBroken;
  }
}
