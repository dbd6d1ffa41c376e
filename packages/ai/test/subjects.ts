/** One subject of the contract suite for each wire protocol: a provider that speaks it, at the scripted model. */

import type { ContractSubject } from "@omp/testkit";
import type { ModelFacts, Provider } from "../src/index.ts";
import { amazonBedrock } from "../src/providers/amazon-bedrock.ts";
import { google } from "../src/providers/google.ts";
import { googleVertex } from "../src/providers/google-vertex.ts";
import { ollamaCloud } from "../src/providers/ollama-cloud.ts";
import { providerOf } from "./stage.ts";

const openai = { ...providerOf("openai"), api: "openai-completions" } as const;

export const GEMINI: ModelFacts = {
  id: "gemini-2.5-flash",
  name: "Gemini 2.5 Flash",
  contextWindow: 1_048_576,
  maxTokens: 65_536,
  reasoning: true,
  input: ["text", "image"],
  prices: { input: 0.3, output: 2.5, cacheRead: 0.03, cacheWrite: 0 },
};
export const GPT_OSS: ModelFacts = {
  id: "gpt-oss:120b",
  name: "gpt-oss 120b",
  contextWindow: 131_072,
  maxTokens: 32_768,
  reasoning: true,
  thinking: { mode: "effort", levels: ["low", "medium", "high"] },
  input: ["text"],
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

export const googleAtTest: Provider = {
  ...google,
  models: [GEMINI],
  baseUrlEnv: "TEST_GOOGLE_BASE_URL",
};
export const vertexAtTest: Provider = {
  ...googleVertex,
  models: [GEMINI],
  baseUrlEnv: "TEST_VERTEX_BASE_URL",
};
export const ollamaAtTest: Provider = {
  ...ollamaCloud,
  models: [GPT_OSS],
  baseUrlEnv: "TEST_OLLAMA_BASE_URL",
};

const CLAUDE_ON_BEDROCK: ModelFacts = {
  id: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  name: "Claude Sonnet 4.5",
  contextWindow: 200_000,
  maxTokens: 64_000,
  reasoning: true,
  input: ["text", "image"],
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};
export const bedrockAtTest: Provider = { ...amazonBedrock, models: [CLAUDE_ON_BEDROCK] };

export const subjects: readonly Provider[] = [
  providerOf("anthropic"),
  { ...openai, api: "openai-completions" },
  { ...openai, api: "openai-responses" },
  { ...openai, api: "azure-openai-responses", baseUrlEnv: "TEST_AZURE_BASE_URL" },
  { ...openai, api: "openai-codex-responses", baseUrlEnv: "TEST_CODEX_BASE_URL" },
  googleAtTest,
  vertexAtTest,
  ollamaAtTest,
  bedrockAtTest,
];

const ARGUMENTS_AS_TEXT = [
  "STRM-18 arguments can be read after every delta, and are right at the end",
  "arguments that are no JSON object are kept as text and never look like a call",
].map((name) => ({ case: name, reason: "on this wire arguments are an object and come whole" }));
const NO_WORD_FOR_TOOLS = {
  case: "stop reasons are translated",
  reason: "the wire has no reason of its own for a turn that waits for tools; it has its own test",
};

/** Cases that a wire has no way to play, by protocol. */
export const skips: Readonly<Partial<Record<string, ContractSubject<Provider>["skip"]>>> = {
  "google-generative-ai": [...ARGUMENTS_AS_TEXT, NO_WORD_FOR_TOOLS],
  "google-vertex": [...ARGUMENTS_AS_TEXT, NO_WORD_FOR_TOOLS],
  "ollama-chat": [
    ...ARGUMENTS_AS_TEXT,
    NO_WORD_FOR_TOOLS,
    {
      case: "STRM-32 usage is the vendor's, and zero where the vendor gives none",
      reason: "the wire does not count cached tokens; it has its own test",
    },
    {
      case: "an error inside the stream is classified like a status",
      reason: "errors on this wire are a text without a type; it has its own test",
    },
    {
      case: "a forced tool is asked for in the vendor's words, and the vendor takes it",
      reason: "the wire cannot ask for a tool; who forces one says it in words too",
    },
  ],
};
