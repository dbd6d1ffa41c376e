/** How a wire's rules are written: each yields what is wrong, and the first fault is what the vendor answers. */

import type { JsonObject } from "../json.ts";
import type { Refusal } from "../recorded-request.ts";

export type Rule = (body: JsonObject) => Generator<string>;

export function firstRefusal(rules: readonly Rule[], body: JsonObject): Refusal | undefined {
  for (const rule of rules) {
    const { value } = rule(body).next();
    if (typeof value === "string") return refusal(value);
  }
  return undefined;
}

export function refusal(message: string): Refusal {
  return { status: 400, message };
}
