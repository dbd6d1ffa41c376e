/** The arguments of a tool call while their JSON is still arriving. */

import { parse } from "partial-json";

type Arguments = Record<string, unknown>;

/** Below this size parsing is cheap enough to do after every delta. */
const SMALL = 2_048;
/** Above it the text must have grown by this factor, which keeps the whole cost linear. */
const GROWTH = 1.25;

export class ToolArguments {
  #text = "";
  #parsedLength = 0;
  #value: Arguments = {};

  /** What can be read so far. Always an object. */
  get value(): Arguments {
    return this.#value;
  }

  append(delta: string): void {
    this.#text += delta;
    const isDue = this.#text.length < SMALL || this.#text.length >= this.#parsedLength * GROWTH;
    if (!isDue) return;
    this.#parsedLength = this.#text.length;
    this.#value = strict(this.#text) ?? tolerant(this.#text) ?? this.#value;
  }

  isWhole(): boolean {
    return strict(this.#text) !== undefined;
  }

  /** No text at all is a call without arguments; any other text that is not a JSON object is broken. */
  finish(): { arguments: Arguments; malformedArguments?: string } {
    if (this.#text.trim() === "") return { arguments: {} };
    const value = strict(this.#text);
    return value ? { arguments: value } : { arguments: {}, malformedArguments: this.#text };
  }
}

function strict(text: string): Arguments | undefined {
  // Most prefixes do not end in a brace: one look saves the parser a walk to the end.
  return text.trimEnd().endsWith("}") ? objectOf(() => JSON.parse(text)) : undefined;
}

function tolerant(text: string): Arguments | undefined {
  return text.trimStart().startsWith("{") ? objectOf(() => parse(text)) : undefined;
}

function objectOf(read: () => unknown): Arguments | undefined {
  let value: unknown;
  try {
    value = read();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Arguments) : undefined;
}
