/** The web and what stands beside the conversation: search, pages, small models, commits. */

import { plannedArea, type SettingArea } from "@omp/std";
import { choice, count, secret, text, toggle } from "./kinds.ts";

const SEARCHERS = [
  "auto",
  "tavily",
  "perplexity",
  "brave",
  "jina",
  "kimi",
  "anthropic",
  "gemini",
  "codex",
  "zai",
  "exa",
  "parallel",
  "kagi",
  "synthetic",
  "searxng",
] as const;

const PAINTERS = [
  "auto",
  "openai",
  "openai-codex",
  "antigravity",
  "xai",
  "openrouter",
  "gemini",
] as const;

const DEVICES = [
  "default",
  "cpu",
  "gpu",
  "metal",
  "webgpu",
  "auto",
  "cuda",
  "dml",
  "coreml",
  "wasm",
  "webnn",
  "webnn-gpu",
  "webnn-cpu",
  "webnn-npu",
] as const;

const PRECISIONS = [
  "default",
  "auto",
  "fp32",
  "fp16",
  "q8",
  "int8",
  "uint8",
  "q4",
  "bnb4",
  "q4f16",
  "q2",
  "q2f16",
  "q1",
  "q1f16",
] as const;

const providers = plannedArea("providers", {
  webSearch: choice(SEARCHERS, "auto", "Search service", "Which service is asked first"),
  webSearchTimeoutSeconds: count(60, "Time of a search", "Seconds for one service", { minimum: 1 }),
  image: choice(PAINTERS, "auto", "Image service", "Which service makes images"),
  fetch: choice(
    ["auto", "native", "trafilatura", "lynx", "parallel", "firecrawl", "jina"],
    "auto",
    "Reader of pages",
    "What makes text of web pages",
  ),
  tinyModel: choice(
    ["online"],
    "online",
    "Model for titles",
    "Where the small model runs that words titles",
  ),
  tinyModelDevice: choice(
    DEVICES,
    "default",
    "Device of small models",
    "What small local models run on",
    {
      env: "PI_TINY_DEVICE",
    },
  ),
  tinyModelDtype: choice(
    PRECISIONS,
    "default",
    "Precision of small models",
    "Numbers that small local models count with",
    {
      env: "PI_TINY_DTYPE",
    },
  ),
  memoryModel: choice(
    ["online"],
    "online",
    "Model for memory",
    "Where the model runs that finds what to remember",
  ),
  autoThinkingModel: choice(
    ["online"],
    "online",
    "Model for levels",
    "Where the model runs that chooses the thinking level",
  ),
});

const exa = plannedArea("exa", {
  enabled: toggle(true, "Exa", "Use Exa where it has a key"),
  enableSearch: toggle(true, "Exa search", "Use Exa for web search"),
});

const searxng = plannedArea("searxng", {
  endpoint: text("", "SearXNG", "URL of a SearXNG server", { fallbackEnv: "SEARXNG_ENDPOINT" }),
  token: secret("SearXNG token", "Bearer token of the server", { fallbackEnv: "SEARXNG_TOKEN" }),
  basicUsername: text("", "SearXNG user", "Name for its password", {
    fallbackEnv: "SEARXNG_BASIC_USERNAME",
  }),
  basicPassword: secret("SearXNG password", "Password of that name", {
    fallbackEnv: "SEARXNG_BASIC_PASSWORD",
  }),
  categories: text("", "SearXNG categories", "Categories to search in"),
  language: text("", "SearXNG language", "Language of the results"),
  engines: text("", "SearXNG engines", "Engines to ask"),
  safesearch: choice(
    ["", "0", "1", "2"],
    "",
    "SearXNG filter",
    "How much is filtered; empty leaves it to the server",
  ),
});

const commit = plannedArea("commit", {
  mapReduceEnabled: toggle(true, "Large commits", "Look at large changes in parts", {
    env: "PI_COMMIT_MAP_REDUCE",
  }),
  mapReduceThreshold: count(5000, "Large from", "Tokens from which a change is large"),
  mapBatchTokenBudget: count(16_000, "Tokens of a part", "How large a part is"),
  changelogMaxDiffChars: count(
    120_000,
    "Change log",
    "Characters of a change that its entry is made from",
  ),
});

export const webAreas: readonly SettingArea[] = [providers, exa, searxng, commit];
