/** Ends a wait for a provider that has gone silent. */

import type { Clock } from "@omp/std";
import { ProviderError } from "../schema/fault.ts";

export interface Timeouts {
  /** From the request to the first content. */
  readonly firstContentMs: number;
  /** Between two pieces of content. Signs of life without content (pings) do not count. */
  readonly idleMs: number;
}

/** A model may think for minutes before it says a word. */
export const DEFAULT_TIMEOUTS: Timeouts = { firstContentMs: 300_000, idleMs: 300_000 };

/**
 * Listens from the moment it is made. Aborts its signal with a ProviderError when the provider was
 * silent too long; the time in which nobody listened (`pause`) does not count.
 */
export class Silence implements Disposable {
  readonly #broken = new AbortController();
  readonly #over = new AbortController();
  #since: number;
  #limitMs: number;
  #isPaused = false;

  constructor(
    private readonly clock: Clock,
    private readonly timeouts: Timeouts,
    private readonly host: string,
  ) {
    this.#since = clock.monotonic();
    this.#limitMs = timeouts.firstContentMs;
    void this.#watch();
  }

  get signal(): AbortSignal {
    return this.#broken.signal;
  }

  /** Content has come and is being looked at: the provider is not to blame for what follows. */
  pause(): void {
    this.#isPaused = true;
  }

  /** The wait for the next content begins. */
  resume(): void {
    this.#isPaused = false;
    this.#since = this.clock.monotonic();
    this.#limitMs = this.timeouts.idleMs;
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }

  async #watch(): Promise<void> {
    while (!this.#over.signal.aborted) {
      const left = this.#since + this.#limitMs - this.clock.monotonic();
      if (left <= 0 && !this.#isPaused) return this.#broken.abort(this.#error());
      // Never longer than the idle limit, which may start to count while this sleeps.
      const nap = left <= 0 ? this.timeouts.idleMs : Math.min(left, this.timeouts.idleMs);
      await this.clock.sleep(nap, this.#over.signal);
    }
  }

  #error(): ProviderError {
    const seconds = Math.round(this.#limitMs / 100) / 10;
    return new ProviderError({ kind: "network" }, `${this.host} sent nothing for ${seconds} s`);
  }
}
