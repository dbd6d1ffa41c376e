/** Which providers there are: the built-in ones, and what models.yml says of them and adds to them. Pure. */

import { mergeCompat, type Provider } from "@omp/ai";
import type { Environment } from "../paths.ts";
import type { ProviderSettings } from "../settings/schema/providers.ts";
import type { ModelsConfig, ProviderConfig } from "./models-config.ts";
import { atItsAddress, isBare, withVersion } from "./server-address.ts";

export interface ProviderSources {
  readonly builtIn: readonly Provider[];
  readonly config: ModelsConfig;
  readonly environment: Environment;
  readonly settings: ProviderSettings;
  /** Ids that the settings switch off for this folder. */
  readonly disabled: readonly string[];
}

export function listProviders(sources: ProviderSources): readonly Provider[] {
  const { builtIn, config, environment, settings, disabled } = sources;
  const known = builtIn.map((provider) => {
    const said = config.providers.get(provider.id);
    const found = atItsAddress(asSet(provider, settings), environment);
    return said ? overridden(found, said) : found;
  });
  const added = [...config.providers].flatMap(([id, said]) =>
    known.some((provider) => provider.id === id) ? [] : [providerFrom(id, said)],
  );
  return [...known, ...added].filter(({ id }) => !disabled.includes(id));
}

/** What the settings say of single providers; models.yml may say more. */
function asSet(provider: Provider, { openrouterVariant, kimiApiFormat }: ProviderSettings) {
  switch (provider.id) {
    case "openrouter": {
      // Without a suffix the host chooses as it usually does.
      if (openrouterVariant === "" || openrouterVariant === "default") return provider;
      return {
        ...provider,
        compat: { ...provider.compat, openRouterVariant: openrouterVariant },
      };
    }
    case "kimi-code": {
      const api = kimiApiFormat === "openai" ? "openai-completions" : "anthropic-messages";
      return { ...provider, api, chosenApi: api } satisfies Provider;
    }
    default:
      return provider;
  }
}

function overridden(provider: Provider, said: ProviderConfig): Provider {
  const { discovery: _told, compat, headers, ...described } = provider;
  const found = discoveryOf(provider, said);
  const merged = mergeCompat(compat, said.compat);
  return versioned({
    ...(said.baseUrl === undefined ? described : at(said.baseUrl.replace(/\/+$/, ""), described)),
    ...(said.api && { api: said.api }),
    ...(said.api && provider.chosenApi && { chosenApi: said.api }),
    ...(said.apiKey !== undefined && { configKey: said.apiKey }),
    ...(said.auth === "none" && { keyEnv: [] }),
    ...(found && { discovery: found }),
    ...(merged && { compat: merged }),
    ...((headers || said.headers) && { headers: { ...headers, ...said.headers } }),
  });
}

/** An address in the file is for us alone, a variable for many programs: the file wins. */
function at(url: string, provider: Provider): Provider {
  const { baseUrls: _baseUrls, baseUrlEnv: _baseUrlEnv, region: _region, ...rest } = provider;
  const { project, tenant } = rest;
  return {
    ...rest,
    baseUrl: url,
    ...(project && { project: { ...project, url } }),
    ...(tenant && { tenant: { ...tenant, url } }),
  };
}

/** Somebody who lists the models of a local server does not want it asked. */
function discoveryOf(provider: Provider, { discovery, models }: ProviderConfig) {
  return discovery?.type ?? (models && models.length > 0 ? undefined : provider.discovery);
}

function providerFrom(id: string, said: ProviderConfig): Provider {
  const { discovery, compat, headers, apiKey, auth } = said;
  const api = said.api ?? said.models?.[0]?.api ?? "openai-completions";
  return versioned({
    id,
    name: id,
    api,
    baseUrl: (said.baseUrl ?? "").replace(/\/+$/, ""),
    keyEnv: [],
    ...(apiKey !== undefined && auth !== "none" && { configKey: apiKey }),
    ...(discovery && { discovery: discovery.type }),
    ...(compat && { compat }),
    ...(headers && { headers }),
    models: [],
  });
}

function versioned(provider: Provider): Provider {
  return isBare(provider) ? { ...provider, baseUrl: withVersion(provider.baseUrl) } : provider;
}
