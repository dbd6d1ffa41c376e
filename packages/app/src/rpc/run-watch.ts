/** The run as the client knows it: over with `agent_end`, a moment before the engine is free again. */

import type { EngineEvent } from "@omp/engine/protocol";
import { ignore } from "@omp/std";

export class RunWatch {
  #isEnding = false;
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
    if (type === "agent_end") this.#isEnding = true;
  }

  follow(run: Promise<unknown>): void {
    this.#ended = run
      .catch((error: unknown) => ignore(error, "the client is answered by the command itself"))
      .then(() => void (this.#isEnding = false));
  }
}
