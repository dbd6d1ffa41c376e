/** A list that grows while others wait for its nth item. */

import { Watch } from "./watch.ts";

export class Tally<Item> {
  readonly items: Item[] = [];
  readonly #watch = new Watch();

  push(item: Item): void {
    this.items.push(item);
    this.#watch.poke();
  }

  /** The item with this number, counted from 1. Rejects when it has not come in time. */
  nth(number: number, what: string, timeoutMs: number): Promise<Item> {
    return this.#watch.until(
      () => this.items[number - 1],
      timeoutMs,
      () => `waited ${timeoutMs} ms for ${what} ${number}, saw ${this.items.length}`,
    );
  }
}
