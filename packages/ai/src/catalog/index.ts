/** What is known of the built-in providers' models. One small file for each provider, loaded when it is asked for. */

import { isProtocolId, type ProtocolId } from "../protocols/registry.ts";
import type { ModelFacts, Provider } from "../providers/provider.ts";
import { providers } from "../providers/registry.ts";
import type { ActiveThinkingLevel, ThinkingSupport } from "../schema/thinking.ts";
import { dataFiles } from "./data.gen.ts";
import type { CatalogFile, CatalogRow } from "./row.ts";

/** Ids of the providers with a catalogue. */
export const catalogProviders: readonly string[] = Object.keys(dataFiles);

/** Empty for a provider without a catalogue. Models of protocols that we do not speak are left out. */
export async function catalogOf(providerId: string): Promise<readonly ModelFacts[]> {
  if (!Object.hasOwn(dataFiles, providerId)) return [];
  // The compiler takes the rows of a JSON file for lists of anything.
  const load = dataFiles[providerId as keyof typeof dataFiles] as () => Promise<{
    default: unknown;
  }>;
  const file = (await load()).default as CatalogFile;
  const provider = providers.find(({ id }) => id === providerId);
  return file.models.flatMap((row) => {
    const api = row[7]?.api ?? file.api;
    return isProtocolId(api) ? [factsOf(row, api, addressOf(provider, file, api))] : [];
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

function factsOf(row: CatalogRow, api: ProtocolId, address: string | undefined): ModelFacts {
  const [id, name, contextWindow, maxTokens, prices, seesImages, thinking, more] = row;
  const [input, output, cacheRead, cacheWrite] = prices;
  const baseUrl = more?.baseUrl ?? address;
  return {
    id,
    name,
    api,
    ...(baseUrl !== undefined && { baseUrl }),
    contextWindow,
    maxTokens,
    reasoning: thinking !== false,
    ...(typeof thinking === "string" && { thinking: thinkingOf(thinking) }),
    input: seesImages ? ["text", "image"] : ["text"],
    prices: { input, output, cacheRead, cacheWrite },
    ...(more?.efforts && { compat: { reasoningEffortMap: more.efforts } }),
  };
}

/** `effort:low,high` */
function thinkingOf(text: string): ThinkingSupport {
  const [mode, levels = ""] = text.split(":");
  return {
    mode: mode as ThinkingSupport["mode"],
    levels: levels.split(",") as ActiveThinkingLevel[],
  };
}
