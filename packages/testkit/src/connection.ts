/** One client's connection: bytes out with backpressure, and every way to end it. */

import type { Socket } from "bun";
import { HttpReader } from "./http-reader.ts";

/** The reset throws away what the client has not read yet; this gives it time to read. */
const RESET_GRACE_MS = 20;

export type ClientSocket = Socket<Connection>;

export class Connection {
  readonly reader = new HttpReader();
  /** Aborts when the connection is gone, whoever ended it. */
  readonly gone: AbortSignal;
  readonly #gone = new AbortController();
  #endedByUs = false;
  #drained = Promise.withResolvers<void>();
  /** Answers on one connection leave in the order of their requests. */
  #queue: Promise<void> = Promise.resolve();

  constructor(readonly socket: ClientSocket) {
    this.gone = this.#gone.signal;
  }

  get isClosedByClient(): boolean {
    return this.gone.aborted && !this.#endedByUs;
  }

  enqueue(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work);
    return this.#queue;
  }

  /** Resolves when the kernel has taken every byte, or when the connection is gone. */
  async send(bytes: Uint8Array): Promise<void> {
    let rest = bytes;
    while (rest.length > 0 && !this.gone.aborted) {
      this.#drained = Promise.withResolvers();
      const written = this.socket.write(rest);
      if (written < 0) return;
      rest = rest.subarray(written);
      if (rest.length > 0) await this.#drained.promise;
    }
  }

  /** Says goodbye after the bytes that were sent (FIN). */
  end(): void {
    this.#endedByUs = true;
    this.socket.end();
  }

  /** Breaks the connection (RST). */
  async reset(): Promise<void> {
    await Bun.sleep(RESET_GRACE_MS);
    if (this.gone.aborted) return;
    this.#endedByUs = true;
    this.socket.terminate();
  }

  /** The server is going away. */
  abandon(): void {
    this.#endedByUs = true;
    this.socket.terminate();
  }

  onDrain(): void {
    this.#drained.resolve();
  }

  onClose(): void {
    this.#gone.abort();
    this.#drained.resolve();
  }
}
