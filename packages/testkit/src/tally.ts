/** A list that grows while others wait for its nth item. */

export class Tally<Item> {
  readonly items: Item[] = [];
  readonly #waiters = new Set<() => void>();

  push(item: Item): void {
    this.items.push(item);
    for (const wake of this.#waiters) wake();
  }

  /** The item with this number, counted from 1. Rejects when it has not come in time. */
  nth(number: number, what: string, timeoutMs: number): Promise<Item> {
    const { promise, resolve, reject } = Promise.withResolvers<Item>();
    const check = () => {
      const item = this.items[number - 1];
      if (item !== undefined) resolve(item);
    };
    const timer = setTimeout(() => {
      reject(new Error(`waited ${timeoutMs} ms for ${what} ${number}, saw ${this.items.length}`));
    }, timeoutMs);
    this.#waiters.add(check);
    check();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiters.delete(check);
    });
  }
}
