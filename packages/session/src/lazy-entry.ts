/** An entry whose body is fetched when somebody looks at it. To its reader it is an entry like any other. */

import type { Fields, SessionEntry } from "./entry.ts";

const HEAD: ReadonlySet<PropertyKey> = new Set(["type", "id", "parentId", "timestamp"]);

/** @param load called once, by the first look at anything but the head; what it gives is put into the entry */
export function lazyEntry(entry: SessionEntry, load: () => Fields): SessionEntry {
  return new Proxy(entry, new Filling(load));
}

class Filling implements ProxyHandler<SessionEntry> {
  #load: (() => Fields) | undefined;

  constructor(load: () => Fields) {
    this.#load = load;
  }

  get(target: SessionEntry, key: PropertyKey): unknown {
    if (!HEAD.has(key) && typeof key === "string") this.#fill(target);
    return Reflect.get(target, key);
  }

  has(target: SessionEntry, key: PropertyKey): boolean {
    return HEAD.has(key) || Reflect.has(this.#fill(target), key);
  }

  ownKeys(target: SessionEntry): (string | symbol)[] {
    return Reflect.ownKeys(this.#fill(target));
  }

  getOwnPropertyDescriptor(target: SessionEntry, key: PropertyKey) {
    return Reflect.getOwnPropertyDescriptor(this.#fill(target), key);
  }

  /** What the head says stands: an id that was taken twice is another one in memory. */
  #fill(target: SessionEntry): SessionEntry {
    const load = this.#load;
    if (!load) return target;
    this.#load = undefined;
    const { type, id, parentId, timestamp } = target;
    return Object.assign(target, load(), { type, id, parentId, timestamp });
  }
}
