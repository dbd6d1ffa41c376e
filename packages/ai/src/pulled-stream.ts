/** A turn in flight: events at the pace of who iterates them, and a result for who only waits. */

import type { Clock } from "@omp/std";
import type { FinalEvent, ModelEvent, ModelStream } from "./schema/event.ts";

/** Events as they come, those of one moment together; the last one is returned. */
type Source = AsyncGenerator<readonly Exclude<ModelEvent, FinalEvent>[], FinalEvent, void>;

/** Deltas of one block that come closer together than this are told as one. */
const WINDOW_MS = 50;

/**
 * While somebody iterates, the source is asked for more only when what it gave was taken: a slow
 * reader slows the provider down. A delta that follows another within 50 ms is held back until these
 * are over or anything else comes, and grows meanwhile; the first of a block, and one after a pause,
 * leave at once. While nobody iterates, the turn runs on by itself and its deltas merge, so what
 * waits never outgrows the message.
 */
export class PulledStream implements ModelStream {
  readonly result: Promise<FinalEvent>;
  readonly #clock: Clock;
  readonly #waiting: ModelEvent[] = [];
  #isOver = false;
  #isIterated = false;
  /** The reader waits, and is not busy with an event. */
  #isAsking = false;
  /** Until then a delta is held back. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  #wakeReader = () => {};
  #wakeSource = () => {};

  constructor(source: Promise<Source>, signal: AbortSignal, clock: Clock) {
    this.#clock = clock;
    this.result = this.#run(source, signal);
  }

  /** Leaving the iteration does not end the turn; aborting its signal does. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ModelEvent, void, void> {
    this.#isIterated = true;
    try {
      for (;;) {
        const event = this.#isDue() ? this.#waiting.shift() : undefined;
        if (event) {
          this.#note(event);
          yield event;
        } else if (this.#isOver) return;
        else await this.#next();
      }
    } finally {
      this.#isIterated = false;
      this.#wakeSource();
    }
  }

  async #run(coming: Promise<Source>, signal: AbortSignal): Promise<FinalEvent> {
    const source = await coming;
    for (;;) {
      const { done, value } = await source.next();
      if (done) {
        this.#add(value);
        this.#isOver = true;
        this.#wakeReader();
        return value;
      }
      for (const event of value) this.#add(event);
      if (this.#isDue()) this.#wakeReader();
      // A delta that is held back may grow while the reader waits for it.
      else if (this.#isAsking) continue;
      if (this.#isIterated && !signal.aborted) await this.#taken(signal);
    }
  }

  #add(event: ModelEvent): void {
    const last = this.#waiting.at(-1);
    const merged = last && mergedDelta(last, event);
    if (merged) this.#waiting[this.#waiting.length - 1] = merged;
    else this.#waiting.push(event);
  }

  /** Whether the reader may have the first event that waits. */
  #isDue(): boolean {
    const [first, second] = this.#waiting;
    if (!first || !("delta" in first) || second || this.#isOver) return first !== undefined;
    return this.#clock.monotonic() >= this.#heldUntil;
  }

  /** After a delta the next one waits; after anything else it does not. */
  #note(event: ModelEvent): void {
    const isDelta = "delta" in event;
    this.#heldUntil = isDelta ? this.#clock.monotonic() + WINDOW_MS : Number.NEGATIVE_INFINITY;
  }

  /** Resolves when an event is due. */
  async #next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakeReader = resolve;
    const left = this.#heldUntil - this.#clock.monotonic();
    const callOff = left > 0 ? this.#clock.after(left, resolve) : undefined;
    this.#isAsking = true;
    this.#wakeSource();
    await promise;
    this.#isAsking = false;
    callOff?.();
  }

  /** Resolves when the reader wants more or has left, or when the turn is aborted. */
  #taken(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#wakeSource = wake;
    signal.addEventListener("abort", wake);
    return promise.finally(() => signal.removeEventListener("abort", wake));
  }
}

/** Two deltas of one block in a row are one delta. */
function mergedDelta(last: ModelEvent, next: ModelEvent): ModelEvent | undefined {
  if (!("delta" in last) || !("delta" in next)) return undefined;
  if (last.type !== next.type || last.contentIndex !== next.contentIndex) return undefined;
  return { ...next, delta: last.delta + next.delta };
}
