/** The fields of a command, checked as they are read: what is wrong is said with the field's name. */

import type { RpcImage, RpcText, RpcToolOutput } from "@omp/rpc-client/wire";
import { UserError } from "@omp/std";

export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  text(name: string): string {
    return this.optionalText(name) ?? wrong(name, "a string");
  }

  /** Absent and null are the same, as for most clients. */
  optionalText(name: string): string | undefined {
    const value = this.#values[name] ?? undefined;
    if (value === undefined || typeof value === "string") return value;
    return wrong(name, "a string");
  }

  flag(name: string): boolean {
    return this.optionalFlag(name) ?? wrong(name, "true or false");
  }

  optionalFlag(name: string): boolean | undefined {
    const value = this.#values[name] ?? undefined;
    if (value === undefined || typeof value === "boolean") return value;
    return wrong(name, "true or false");
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice {
    return this.optionalChoice(name, choices) ?? wrong(name, `one of ${choices.join(", ")}`);
  }

  optionalChoice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
  ): Choice | undefined {
    const value = this.#values[name] ?? undefined;
    if (value === undefined) return undefined;
    return choices.find((known) => known === value) ?? wrong(name, `one of ${choices.join(", ")}`);
  }

  images(name: string): { readonly images?: readonly RpcImage[] } {
    const value = this.#values[name] ?? undefined;
    if (value === undefined) return {};
    if (Array.isArray(value) && value.every(isImage)) return { images: value };
    return wrong(name, 'a list of {"type": "image", "data": base64, "mimeType": string}');
  }

  objects(name: string): readonly Fields[] {
    const value = this.#values[name];
    if (!Array.isArray(value) || !value.every(isRecord)) return wrong(name, "a list of objects");
    return value.map((one) => new Fields(one));
  }

  object(name: string): Readonly<Record<string, unknown>> {
    const value = this.#values[name];
    return isRecord(value) ? value : wrong(name, "an object");
  }
}

/** What a host says its tool gave; undefined where it is no such thing. */
export function toolOutput(value: unknown): RpcToolOutput | undefined {
  if (!isRecord(value)) return undefined;
  const { content, details } = value;
  if (!Array.isArray(content) || !content.every((block) => isText(block) || isImage(block))) {
    return undefined;
  }
  return details === undefined ? { content } : { content, details };
}

function wrong(name: string, wanted: string): never {
  throw new UserError("bad-input", `"${name}" must be ${wanted}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is RpcText {
  return isRecord(value) && value["type"] === "text" && typeof value["text"] === "string";
}

function isImage(value: unknown): value is RpcImage {
  return (
    isRecord(value) &&
    value["type"] === "image" &&
    typeof value["data"] === "string" &&
    typeof value["mimeType"] === "string"
  );
}
