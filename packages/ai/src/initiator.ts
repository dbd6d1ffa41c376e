/** Who began a turn: a person, or the program that goes on working. Some servers ask, and bill by it. */

import type { Message } from "./schema/message.ts";
import type { ModelRequest } from "./schema/model.ts";

export function initiatorHeaders(request: ModelRequest): Readonly<Record<string, string>> {
  if (!request.model.compat?.sendsInitiator) return {};
  return {
    "x-initiator": initiatorOf(request),
    ...(request.messages.some(hasImage) && { "copilot-vision-request": "true" }),
  };
}

/** Undefined where nobody counts requests. */
export function premiumRequestsOf(request: ModelRequest): number | undefined {
  const { compat, premiumMultiplier = 1 } = request.model;
  if (!compat?.sendsInitiator) return undefined;
  return initiatorOf(request) === "user" ? premiumMultiplier : 0;
}

function initiatorOf({ messages }: ModelRequest): "user" | "agent" {
  const last = messages.at(-1);
  return last?.role === "user" && last.attribution !== "agent" ? "user" : "agent";
}

function hasImage({ content }: Message): boolean {
  return typeof content !== "string" && content.some(({ type }) => type === "image");
}
