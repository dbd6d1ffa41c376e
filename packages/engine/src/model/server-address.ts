/** Addresses of model servers that one runs oneself: where variables and files say they are. Pure. */

import type { Provider } from "@omp/ai";
import type { Environment } from "../paths.ts";

/** A provider with a server to ask, at the address its variables name; others are returned as they are. */
export function atItsAddress(provider: Provider, environment: Environment): Provider {
  if (provider.discovery === undefined) return provider;
  const { baseUrlEnv, ...rest } = provider;
  const named = (baseUrlEnv && environment[baseUrlEnv]) || undefined;
  const host = provider.id === "ollama" ? environment["OLLAMA_HOST"] : undefined;
  const address = named ?? (host && ollamaHost(host)) ?? provider.baseUrl;
  return { ...rest, baseUrl: isBare(provider) ? withVersion(address) : address };
}

/** Its protocols of OpenAI's are below `/v1`, its own ones beside it, and people name the root of both. */
export function isBare({ discovery, api }: Pick<Provider, "discovery" | "api">): boolean {
  return (discovery === "ollama" || discovery === "llama.cpp") && api.startsWith("openai-");
}

/** People start and stop these, and add models to them, within minutes. */
export function isLocal({ discovery }: Provider): boolean {
  return discovery === "ollama" || discovery === "llama.cpp" || discovery === "lm-studio";
}

/** What the server itself reads: `host`, `host:port` or a URL. */
function ollamaHost(host: string): string | undefined {
  const isUrl = /^https?:\/\//.test(host);
  const url = URL.parse(isUrl ? host : `http://${host}`);
  if (!url) return undefined;
  // A server that listens everywhere is reached here.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (!isUrl && !/:\d+$/.test(host)) url.port = "11434";
  return url.href;
}

export function withVersion(baseUrl: string): string {
  if (baseUrl.endsWith("/v1")) return baseUrl;
  return `${withoutVersion(baseUrl)}/v1`;
}

export function withoutVersion(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
}
