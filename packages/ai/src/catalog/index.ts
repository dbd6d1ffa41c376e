/** What is known of the built-in providers' models. One small file for each provider, loaded when it is asked for. */

import type { ModelFacts, Provider } from "../providers/provider.ts";
import { providers } from "../providers/registry.ts";
import type { ActiveThinkingLevel, ThinkingSupport } from "../schema/thinking.ts";
import { dataFiles } from "./data.gen.ts";
import type { CatalogFile, CatalogRow } from "./row.ts";

/** Ids of the providers with a catalogue. */
export const catalogProviders: readonly string[] = Object.keys(dataFiles);

type ProtocolId = Provider["api"];

/** Empty for a provider without a catalogue. */
export async function catalogOf(providerId: string): Promise<readonly ModelFacts[]> {
  if (!Object.hasOwn(dataFiles, providerId)) return [];
  // The compiler takes the rows of a JSON file for lists of anything.
  const load = dataFiles[providerId as keyof typeof dataFiles] as () => Promise<{
    default: unknown;
  }>;
  return factsIn((await load()).default as CatalogFile, providerId);
}

/**
 * The model of those who chose none, without the catalogue that it is in: most starts need no other one.
 * Undefined where the catalogue does not know it.
 */
export async function defaultFactsOf(providerId: string): Promise<ModelFacts | undefined> {
  const files = (await import("./defaults.json")).default as unknown;
  if (!Object.hasOwn(files as object, providerId)) return undefined;
  return factsIn((files as Readonly<Record<string, CatalogFile>>)[providerId]!, providerId)[0];
}

function factsIn(file: CatalogFile, providerId: string): readonly ModelFacts[] {
  const provider = providers.find(({ id }) => id === providerId);
  return file.models.map((row) => {
    // A test sees to it that we speak all of them.
    const api = (row[7]?.api ?? file.api) as ProtocolId;
    return factsOf(row, api, addressOf(provider, file, api));
  });
}

/** The ids that vendors' own APIs give their models, each with its vendor. */
export async function officialIds(): Promise<ReadonlyMap<string, string>> {
  const file = (await import("./data/official-ids.json")).default as Record<string, string[]>;
  return new Map(
    Object.entries(file).flatMap(([vendor, ids]) => ids.map((id) => [id, vendor] as const)),
  );
}

/** Where the provider itself names no address for this protocol. */
function addressOf(
  provider: Provider | undefined,
  file: CatalogFile,
  api: ProtocolId,
): string | undefined {
  const isNamed = provider && (provider.api === api || provider.baseUrls?.[api] !== undefined);
  return isNamed ? undefined : file.baseUrls[api];
}

/** Assigned field by field: with a thousand models the spreading of optional parts would be felt. */
function factsOf(row: CatalogRow, api: ProtocolId, address: string | undefined): ModelFacts {
  const [id, name, contextWindow, maxTokens, prices, seesImages, thinking, more] = row;
  const facts: { -readonly [Key in keyof ModelFacts]: ModelFacts[Key] } = {
    id,
    name,
    api,
    contextWindow,
    maxTokens,
    reasoning: thinking !== false,
    input: seesImages ? SEES : READS,
    prices: { input: prices[0], output: prices[1], cacheRead: prices[2], cacheWrite: prices[3] },
  };
  const baseUrl = more?.baseUrl ?? address;
  if (baseUrl !== undefined) facts.baseUrl = baseUrl;
  if (typeof thinking === "string") facts.thinking = thinkingOf(thinking);
  if (more?.efforts) facts.compat = { reasoningEffortMap: more.efforts };
  return facts;
}

const READS = ["text"] as const;
const SEES = ["text", "image"] as const;

/** `effort:low,high` */
function thinkingOf(text: string): ThinkingSupport {
  const [mode, levels = ""] = text.split(":");
  return {
    mode: mode as ThinkingSupport["mode"],
    levels: levels.split(",") as ActiveThinkingLevel[],
  };
}
