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
  "google-generative-ai": lazy(
    async () => (await import("./google-generative-ai.ts")).googleGenerativeAi,
  ),
  "google-vertex": lazy(async () => (await import("./google-vertex.ts")).googleVertex),
  "ollama-chat": lazy(async () => (await import("./ollama-chat.ts")).ollamaChat),
  "openai-responses": lazy(async () => (await import("./openai-responses.ts")).openaiResponses),
  "azure-openai-responses": lazy(
    async () => (await import("./azure-openai-responses.ts")).azureOpenaiResponses,
  ),
  "openai-codex-responses": lazy(
    async () => (await import("./openai-codex-responses.ts")).openaiCodexResponses,
  ),
  "bedrock-converse-stream": lazy(
    async () => (await import("./bedrock-converse-stream.ts")).bedrockConverseStream,
  ),
} satisfies Readonly<Record<string, () => Promise<Protocol>>>;

export type ProtocolId = keyof typeof protocols;

export function isProtocolId(id: string): id is ProtocolId {
  return Object.hasOwn(protocols, id);
}
