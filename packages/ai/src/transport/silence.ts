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
 * Listens from the moment it is made. Calls `onSilence` when the provider was silent too long; the time
 * in which nobody listened (`pause`) does not count.
 */
export class Silence implements Disposable {
  readonly #clock: Clock;
  readonly #timeouts: Timeouts;
  readonly #onSilence: (error: ProviderError) => void;
  readonly #host: string;
  #limitMs: number;
  #since: number;
  #isPaused = false;
  #callOff: () => void;

  constructor(
    clock: Clock,
    timeouts: Timeouts,
    host: string,
    onSilence: (error: ProviderError) => void,
  ) {
    this.#clock = clock;
    this.#timeouts = timeouts;
    this.#host = host;
    this.#onSilence = onSilence;
    this.#since = clock.monotonic();
    this.#limitMs = timeouts.firstContentMs;
    this.#callOff = clock.after(this.#limitMs, () => this.#look());
  }

  /** Content has come and is being looked at: the provider is not to blame for what follows. */
  pause(): void {
    this.#isPaused = true;
  }

  /** The wait for the next content begins. */
  resume(): void {
    this.#isPaused = false;
    this.#since = this.#clock.monotonic();
    // One timer serves all pieces of content; it looks how long the last one is ago. Only a shorter
    // limit than the one it was set for needs a new one.
    if (this.#timeouts.idleMs < this.#limitMs) this.#lookIn(this.#timeouts.idleMs);
    this.#limitMs = this.#timeouts.idleMs;
  }

  [Symbol.dispose](): void {
    this.#callOff();
  }

  #look(): void {
    const left = this.#since + this.#limitMs - this.#clock.monotonic();
    if (left > 0) return this.#lookIn(left);
    if (this.#isPaused) return this.#lookIn(this.#limitMs);
    const seconds = Math.round(this.#limitMs / 100) / 10;
    const message = `${this.#host} sent nothing for ${seconds} s`;
    this.#onSilence(new ProviderError({ kind: "network" }, message));
  }

  #lookIn(ms: number): void {
    this.#callOff();
    this.#callOff = this.#clock.after(ms, () => this.#look());
  }
}
