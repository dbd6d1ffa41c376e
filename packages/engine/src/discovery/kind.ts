/** What a kind is: how its files are read, and which of its items are the same. */

import type { Found, Item } from "./item.ts";

export interface Kind<Own extends Item> {
  /** Of items with the same key the first counts; items without one all count. */
  key(item: Own): string | undefined;
  /** What is in a place where something was found. What it throws is a warning, and nothing is there. */
  read(found: Found, reader: Reader): readonly Own[];
  /** Everything of the project stands above everything of the person, whatever the sources are. */
  readonly isProjectFirst?: boolean;
}

export interface Reader {
  /** The whole text of a small file. */
  text(path: string): string;
  warn(place: string, text: string): void;
}

/** A kind of which only names and places are known; whoever runs it reads it. */
export const listedByName: Kind<Item> = {
  key: ({ name }) => name,
  read: (found) => [itemOf(found)],
};

/** Without what only its kind needs to know. */
export function itemOf({ name, path, level, source, sourceName, priority }: Found): Item {
  return { name, path, level, source, sourceName, priority };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
