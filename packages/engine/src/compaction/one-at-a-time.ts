/** Work of which only one piece is in progress, and that can be aborted from outside. */

import { ignore, UserError } from "@omp/std";

interface Current {
  readonly abort: AbortController;
  readonly ended: Promise<unknown>;
}

export class OneAtATime {
  readonly #busyText: string;
  #current: Current | undefined;

  constructor(busyText: string) {
    this.#busyText = busyText;
  }

  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** Of the piece in progress; never rejects. */
  get ended(): Promise<unknown> {
    return this.#current?.ended ?? Promise.resolve();
  }

  /** Resolves when it has ended. */
  async abort(): Promise<void> {
    this.#current?.abort.abort();
    await this.ended;
  }

  /** @param outer aborts it as well @throws UserError while another piece is in progress */
  async run<Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    outer?: AbortSignal,
  ): Promise<Result> {
    if (this.#current) throw new UserError("busy", this.#busyText);
    const abort = new AbortController();
    const signal = outer ? AbortSignal.any([outer, abort.signal]) : abort.signal;
    const result = Promise.try(work, signal);
    const ended = result
      .catch((error) => ignore(error, "whoever asked for it hears of it"))
      .finally(() => (this.#current = undefined));
    this.#current = { abort, ended };
    await ended;
    return result;
  }
}
