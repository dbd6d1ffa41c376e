/** Waiting for something that other code makes true, without polling. */

export class Watch {
  readonly #checks = new Set<() => void>();

  /** Something has changed: whoever waits looks again. */
  poke(): void {
    for (const check of this.#checks) check();
  }

  /** The first defined value of `probe`. Rejects with the words of `complain` when the time is up. */
  until<Value>(
    probe: () => Value | undefined,
    timeoutMs: number,
    complain: () => string,
  ): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const check = () => {
      const value = probe();
      if (value !== undefined) resolve(value);
    };
    const timer = setTimeout(() => reject(new Error(complain())), timeoutMs);
    this.#checks.add(check);
    check();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#checks.delete(check);
    });
  }
}
