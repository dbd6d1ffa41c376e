/** Lines on their way out, in order, kept until the reader has taken them. */

import { codeOf, log, messageOf, type Clock } from "@omp/std";

export interface PipeDeps {
  readonly clock: Clock;
  /** Resolves when the other end has taken the text. */
  write(text: string): Promise<void>;
  /** Called once when nobody reads any more. */
  onClosed(): void;
  /** Called when a part of what waited has been taken. */
  onTaken(): void;
}

interface Waiting {
  line: string;
  /** A newer line of the same kind says all that this one says. */
  readonly kind?: string | undefined;
}

const BATCH = 256 * 1024;

export class Pipe {
  readonly #deps: PipeDeps;
  #queue: Waiting[] = [];
  #length = 0;
  #isClosed = false;
  #pumping: Promise<void> | undefined;

  constructor(deps: PipeDeps) {
    this.#deps = deps;
  }

  /** Characters that have not been taken yet. */
  get length(): number {
    return this.#length;
  }

  push(line: string, kind?: string): void {
    if (this.#isClosed) return;
    this.#queue.push({ line, kind });
    this.#length += line.length;
    this.#pumping ??= this.#pump();
  }

  /** Takes back the newest line of this kind that has not left yet. */
  takeBack(kind: string): void {
    const older = this.#queue.findLast((waiting) => waiting.kind === kind);
    if (!older) return;
    this.#length -= older.line.length;
    older.line = "";
  }

  /** Resolves when less than `length` waits, or nobody reads any more. */
  async below(length: number): Promise<void> {
    while (this.#length >= length && this.#pumping) await this.#pumping;
  }

  /** Resolves when all has left, nobody reads any more, or nothing was taken for `patienceMs`. */
  async drained(patienceMs: number): Promise<void> {
    for (let before = -1; this.#pumping && this.#length !== before;) {
      before = this.#length;
      const tooLate = Promise.withResolvers<void>();
      const callOff = this.#deps.clock.after(patienceMs, tooLate.resolve);
      await Promise.race([this.#pumping, tooLate.promise]);
      callOff();
    }
  }

  async #pump(): Promise<void> {
    // All that is said in one go leaves in one go.
    await Promise.resolve();
    try {
      while (this.#queue.length > 0) {
        const batch = this.#takeBatch();
        await this.#deps.write(batch);
        this.#length -= batch.length;
        this.#deps.onTaken();
      }
    } catch (error) {
      this.#close(error);
    } finally {
      this.#pumping = undefined;
    }
  }

  #takeBatch(): string {
    let length = 0;
    const end = this.#queue.findIndex(({ line }) => (length += line.length) > BATCH);
    const taken = this.#queue.splice(0, end < 0 ? this.#queue.length : Math.max(end, 1));
    return taken.map(({ line }) => line).join("");
  }

  #close(error: unknown): void {
    this.#isClosed = true;
    this.#queue = [];
    this.#length = 0;
    if (codeOf(error) !== "EPIPE") log.warn("stdout-failed", { error: messageOf(error) });
    this.#deps.onClosed();
  }
}
