/** Every wire the scripted model speaks. */

import { anthropicMessages } from "./anthropic-messages.ts";
import { bedrockConverseStream } from "./bedrock-converse-stream.ts";
import { openaiCompletions } from "./openai-completions.ts";
import { openaiResponses } from "./openai-responses.ts";
import { googleGenerativeAi } from "./google-generative-ai.ts";
import { ollamaChat } from "./ollama-chat.ts";
import type { Wire } from "./wire.ts";

export const wires: readonly Wire[] = [
  anthropicMessages,
  openaiCompletions,
  openaiResponses,
  googleGenerativeAi,
  ollamaChat,
  bedrockConverseStream,
];
