/** From the source's models to the rows of our data files. Facts only: headers and request quirks are not taken over. */

import type { CatalogRow } from "../../packages/ai/src/catalog/row.ts";
import type { ActiveThinkingLevel } from "../../packages/ai/src/schema/thinking.ts";

/** A model as the source describes it; only what we use. */
interface SourceModel {
  readonly id: string;
  readonly name: string;
  readonly api: string;
  readonly baseUrl: string;
  readonly reasoning: boolean;
  /** A level to the vendor's word for it; null where the model does not have it. */
  readonly thinkingLevelMap?: Readonly<Record<string, string | null>>;
  readonly input: readonly ("text" | "image")[];
  readonly cost: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly compat?: { readonly forceAdaptiveThinking?: boolean };
}

/** Protocol, then model id. */
export type SourceFile = Readonly<Record<string, Readonly<Record<string, SourceModel>>>>;

interface Source {
  /** The provider's id there, and ours. */
  readonly from: string;
  readonly to: string;
  /** Only the models of this protocol. */
  readonly only?: string;
  /** The protocol we speak to it, where that is another one. */
  readonly api?: string;
}

/** Providers that we do not know are left out. */
export const sources: readonly Source[] = [
  ...[
    "amazon-bedrock",
    "anthropic",
    "baseten",
    "cerebras",
    "deepseek",
    "fireworks",
    "github-copilot",
    "google",
    "google-vertex",
    "groq",
    "huggingface",
    "meta",
    "minimax",
    "nvidia",
    "openai",
    "openai-codex",
    "opencode-go",
    "openrouter",
    "together",
    "vercel-ai-gateway",
    "xai",
    "xiaomi",
    "xiaomi-token-plan-ams",
    "xiaomi-token-plan-cn",
    "xiaomi-token-plan-sgp",
    "zai",
  ].map((id) => ({ from: id, to: id })),
  { from: "azure-openai-responses", to: "azure" },
  // The addresses of its other protocols need names of an account that a catalogue cannot know.
  { from: "cloudflare-ai-gateway", to: "cloudflare-ai-gateway", only: "anthropic-messages" },
  { from: "kimi-coding", to: "kimi-code" },
  { from: "minimax", to: "minimax-code", api: "openai-completions" },
  { from: "minimax-cn", to: "minimax-code-cn", api: "openai-completions" },
  { from: "mistral", to: "mistral", api: "openai-completions" },
  { from: "moonshotai", to: "moonshot" },
  { from: "opencode", to: "opencode-zen" },
  { from: "qwen-token-plan", to: "alibaba-token-plan" },
  { from: "xai", to: "xai-oauth" },
  { from: "zai-coding-cn", to: "zhipu-coding-plan" },
];

/** Whose own API gives models the ids that everybody else's variants are grouped under: our id to those there. */
const vendors: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["anthropic"],
  deepseek: ["deepseek"],
  google: ["google"],
  meta: ["meta"],
  minimax: ["minimax"],
  mistral: ["mistral"],
  moonshot: ["moonshotai"],
  openai: ["openai", "openai-codex"],
  xai: ["xai"],
  xiaomi: ["xiaomi"],
  zai: ["zai"],
};

export interface ProviderRows {
  /** The protocol of most of its models; the others name theirs. */
  readonly api: string;
  /** Protocol to address. */
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly rows: readonly CatalogRow[];
}

export function rowsOf(file: SourceFile, source: Source): ProviderRows {
  const models = Object.values(file)
    .flatMap((group) => Object.values(group))
    .filter((model) => source.only === undefined || model.api === source.only)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const apiOf = (model: SourceModel) => source.api ?? model.api;
  const api = mostFrequent(models.map(apiOf));
  const baseUrls: Record<string, string> = {};
  // An address of a protocol that we do not speak to it would be the wrong one; ours has it.
  for (const one of source.api === undefined ? new Set(models.map(apiOf)) : []) {
    const url = mostFrequent(models.filter((model) => model.api === one).map((m) => m.baseUrl));
    if (URL.canParse(url) && !url.includes("{")) baseUrls[one] = url;
  }
  const rows = models.map((model) => rowOf(model, apiOf(model), api, baseUrls));
  return { api, baseUrls, rows };
}

function rowOf(
  model: SourceModel,
  own: string,
  common: string,
  baseUrls: Readonly<Record<string, string>>,
): CatalogRow {
  const { id, contextWindow, maxTokens, cost, input } = model;
  // The undated id says that it is the latest.
  const name = model.name.replace(/ \(latest\)$/, "");
  const usual = baseUrls[own];
  const words = effortWords(model);
  const more = {
    ...(own === common ? {} : { api: own }),
    ...(usual === undefined || model.baseUrl === usual ? {} : { baseUrl: model.baseUrl }),
    ...(words === undefined ? {} : { efforts: words }),
  };
  return [
    id,
    name,
    contextWindow,
    maxTokens,
    [price(cost.input), price(cost.output), price(cost.cacheRead), price(cost.cacheWrite)],
    input.includes("image") ? 1 : 0,
    thinkingOf(model, own),
    ...(Object.keys(more).length > 0 ? ([more] as const) : ([] as const)),
  ];
}

/** A router that cannot know its price says a negative one. */
function price(amount: number): number {
  return Math.max(0, amount);
}

const USUAL: readonly ActiveThinkingLevel[] = ["minimal", "low", "medium", "high"];

/** `mode:levels`, `true` for a model that thinks in a way only its protocol knows, `false` for one that does not. */
function thinkingOf(model: SourceModel, api: string): CatalogRow[6] {
  if (!model.reasoning) return false;
  const mode = modeOf(model, api);
  const { thinkingLevelMap: map } = model;
  if (mode === undefined) return true;
  const levels: ActiveThinkingLevel[] = USUAL.filter((level) => map?.[level] !== null);
  if (map?.["xhigh"] || map?.["max"]) levels.push("xhigh");
  return levels.length === 0 ? true : `${mode}:${levels.join(",")}`;
}

function modeOf(model: SourceModel, api: string): "effort" | "budget" | "adaptive" | undefined {
  if (model.compat?.forceAdaptiveThinking) return "adaptive";
  if (api === "anthropic-messages") return "budget";
  // The second generation takes a number of tokens, later ones take words.
  if (api.startsWith("google-")) return /gemini-2\./.test(model.id) ? "budget" : "effort";
  if (api === "bedrock-converse-stream") return /claude/.test(model.id) ? "budget" : undefined;
  // Without levels of its own a model may know only on and off.
  return api.startsWith("openai-") && model.thinkingLevelMap === undefined ? undefined : "effort";
}

/** Vendors' words that differ from the level's name. Our strongest level stands for theirs, whatever its name. */
function effortWords(model: SourceModel): Partial<Record<ActiveThinkingLevel, string>> | undefined {
  const map = model.thinkingLevelMap ?? {};
  const words: Partial<Record<ActiveThinkingLevel, string>> = {};
  for (const level of [...USUAL, "xhigh"] as const) {
    const word = map[level] ?? (level === "xhigh" ? map["max"] : undefined);
    if (word && word.toLowerCase() !== level) words[level] = word;
  }
  return Object.keys(words).length > 0 ? words : undefined;
}

/** Vendor to ids. */
export function officialIds(files: ReadonlyMap<string, SourceFile>): Record<string, string[]> {
  const entries = Object.entries(vendors).map(([vendor, names]) => {
    const ids = names.flatMap((name) =>
      Object.values(files.get(name) ?? {}).flatMap((group) => Object.keys(group)),
    );
    return [vendor, [...new Set(ids)].sort()] as const;
  });
  return Object.fromEntries(entries);
}

function mostFrequent(values: readonly string[]): string {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? "";
}
