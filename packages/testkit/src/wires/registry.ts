/** Every wire the scripted model speaks. */

import { anthropicMessages } from "./anthropic-messages.ts";
import { openaiCompletions } from "./openai-completions.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Wire } from "./wire.ts";

export const wires: readonly Wire[] = [anthropicMessages, openaiCompletions, openaiResponses];
