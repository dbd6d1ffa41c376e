/** The wire protocols, each loaded when a turn first needs it. */

import { lazy } from "@omp/std";
import type { Protocol } from "./protocol.ts";

export const protocols = {
  "anthropic-messages": lazy(
    async () => (await import("./anthropic-messages.ts")).anthropicMessages,
  ),
  "openai-completions": lazy(
    async () => (await import("./openai-completions.ts")).openaiCompletions,
  ),
} satisfies Readonly<Record<string, () => Promise<Protocol>>>;

export type ProtocolId = keyof typeof protocols;

export function isProtocolId(id: string): id is ProtocolId {
  return Object.hasOwn(protocols, id);
}
