/** Collects the output of a process while it runs. */

import type { ReadableStreamDefaultReader } from "node:stream/web";
import { Watch } from "./watch.ts";

export class Capture {
  text = "";
  readonly #chunks: Uint8Array[] = [];
  readonly #watch = new Watch();
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #done: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
    this.#done = this.#pump();
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  /** Waits for the end of the stream, but no longer than `patienceMs`. */
  async finish(patienceMs: number): Promise<"closed" | "held open"> {
    const gaveUp = Promise.withResolvers<"held open">();
    const timer = setTimeout(() => gaveUp.resolve("held open"), patienceMs);
    const outcome = await Promise.race([this.#done.then(() => "closed" as const), gaveUp.promise]);
    clearTimeout(timer);
    if (outcome === "held open") await this.#reader.cancel();
    return outcome;
  }

  async waitFor(wanted: string | ((text: string) => boolean), timeoutMs: number): Promise<void> {
    const isThere = typeof wanted === "string" ? () => this.text.includes(wanted) : wanted;
    await this.#watch.until(
      () => isThere(this.text) || undefined,
      timeoutMs,
      () => `not in the output after ${timeoutMs} ms: ${wanted.toString()}\n${this.text}`,
    );
  }

  async #pump(): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await this.#reader.read();
      this.text += decoder.decode(value, { stream: !done });
      if (value) this.#chunks.push(value);
      this.#watch.poke();
      if (done) return;
    }
  }
}
