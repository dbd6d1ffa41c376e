/** A turn in flight: events at the pace of who iterates them, and a result for who only waits. */

import type { FinalEvent, ModelEvent, ModelStream } from "./schema/event.ts";

/** Events as they come, those of one frame together; the last one is returned. */
type Source = AsyncGenerator<readonly Exclude<ModelEvent, FinalEvent>[], FinalEvent, void>;

/**
 * While somebody iterates, the source is asked for the next event only when the one before was
 * taken: a slow reader slows the provider down, and `partial` is what the event says. While nobody
 * does, the turn runs on by itself and its deltas merge, so what waits never outgrows the message.
 */
export class PulledStream implements ModelStream {
  readonly result: Promise<FinalEvent>;
  readonly #waiting: ModelEvent[] = [];
  #isOver = false;
  #isIterated = false;
  #wakeReader = () => {};
  #wakeSource = () => {};

  constructor(source: Promise<Source>, signal: AbortSignal) {
    this.result = this.#run(source, signal);
  }

  /** Leaving the iteration does not end the turn; aborting its signal does. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ModelEvent, void, void> {
    this.#isIterated = true;
    try {
      for (;;) {
        const event = this.#waiting.shift();
        if (event) yield event;
        else if (this.#isOver) return;
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
      this.#wakeReader();
      if (this.#isIterated && !signal.aborted) await this.#taken(signal);
    }
  }

  #add(event: ModelEvent): void {
    const last = this.#waiting.at(-1);
    const merged = last && mergedDelta(last, event);
    if (merged) this.#waiting[this.#waiting.length - 1] = merged;
    else this.#waiting.push(event);
  }

  /** Resolves when an event has come. */
  #next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakeReader = resolve;
    this.#wakeSource();
    return promise;
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
