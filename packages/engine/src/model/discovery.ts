/** Asks a server which models it has. Whatever it answers, or does not, is a result and never a throw. */

import type { DiscoveryType, FetchLike, ModelFacts, ProtocolId } from "@omp/ai";
import { UNKNOWN } from "@omp/ai";
import { ignore, messageOf, type Clock } from "@omp/std";
import { withoutVersion } from "./server-address.ts";

export interface DiscoveryTarget {
  readonly type: DiscoveryType;
  readonly baseUrl: string;
  /** The protocol of models that do not tell theirs; without it a proxy's are left out. */
  readonly api: ProtocolId | undefined;
  /** With the key, where there is one. */
  readonly headers: Readonly<Record<string, string>>;
  /** Replaces what Ollama says of its models' windows. Only for our own reckoning. */
  readonly contextLength: number | undefined;
}

export interface DiscoveryDoors {
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly limitMs: number;
}

export type DiscoveryResult =
  | { readonly kind: "found"; readonly models: readonly ModelFacts[] }
  | { readonly kind: "failed"; readonly reason: string };

export async function discoverModels(
  target: DiscoveryTarget,
  { fetch, clock, limitMs }: DiscoveryDoors,
): Promise<DiscoveryResult> {
  const tooLate = new AbortController();
  const callOff = clock.after(limitMs, () => tooLate.abort(new Error("no answer in time")));
  const ask: Ask = (path, body) =>
    askJson(fetch, `${withoutVersion(target.baseUrl)}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...target.headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: tooLate.signal,
      // A redirect would carry the key to a host that nobody chose.
      redirect: "manual",
    });
  try {
    return { kind: "found", models: (await find(target, ask)).slice(0, MAX_MODELS) };
  } catch (error) {
    return { kind: "failed", reason: messageOf(error) };
  } finally {
    callOff();
  }
}

const MAX_MODELS = 5000;
const MAX_BYTES = 16 * 1024 * 1024;

/** The parsed answer. Throws when there is none in time, or it is not JSON. */
type Ask = (path: string, body?: object) => Promise<unknown>;

function find(target: DiscoveryTarget, ask: Ask): Promise<readonly ModelFacts[]> {
  switch (target.type) {
    case "ollama":
      return findOllama(target, ask);
    case "llama.cpp":
    case "lm-studio":
    case "openai-models-list":
      return findListed(target, ask);
    case "proxy":
      return findProxied(target, ask);
  }
}

/** Its own protocol tells what OpenAI's does not: the window, and what a model can do. */
async function findOllama(
  { contextLength, api }: DiscoveryTarget,
  ask: Ask,
): Promise<readonly ModelFacts[]> {
  const names = listIn(await ask("/api/tags"), "models").flatMap((entry) => textIn(entry, "name"));
  const found = names.map(async (id): Promise<ModelFacts | undefined> => {
    const details = await ask("/api/show", { model: id }).catch((error: unknown) =>
      ignore(error, "a model without details has the usual ones"),
    );
    const abilities = listIn(details, "capabilities", []);
    if (abilities.length > 0 && !abilities.includes("completion")) return undefined;
    return {
      ...factsOf(id, api),
      contextWindow: contextLength ?? windowIn(details) ?? UNKNOWN.contextWindow,
      reasoning: abilities.includes("thinking"),
      input: abilities.includes("vision") ? ["text", "image"] : ["text"],
    };
  });
  return (await Promise.all(found)).filter((facts) => facts !== undefined);
}

/** `model_info` has the window under the name of the model's architecture. */
function windowIn(details: unknown): number | undefined {
  if (!isRecord(details) || !isRecord(details["model_info"])) return undefined;
  const entry = Object.entries(details["model_info"]).find(([key]) =>
    key.endsWith(".context_length"),
  );
  return entry && positive(entry[1]);
}

async function findListed(target: DiscoveryTarget, ask: Ask): Promise<readonly ModelFacts[]> {
  const path = `${target.baseUrl.slice(withoutVersion(target.baseUrl).length).replace(/\/+$/, "")}/models`;
  const entries = listIn(await ask(path), "data").filter((entry) => !isForOtherThings(entry));
  return entries.flatMap((entry) => listedFacts(entry, target.api));
}

async function findProxied(target: DiscoveryTarget, ask: Ask): Promise<readonly ModelFacts[]> {
  const entries = listIn(await ask("/v1/models"), "data");
  return entries.flatMap((entry) => {
    const kinds = listIn(entry, "supported_endpoint_types", []);
    const api = kinds.includes("anthropic")
      ? "anthropic-messages"
      : kinds.includes("openai")
        ? "openai-completions"
        : target.api;
    return api === undefined ? [] : listedFacts(entry, api);
  });
}

function listedFacts(entry: unknown, api: ProtocolId | undefined): readonly ModelFacts[] {
  return textIn(entry, "id").map((id) => {
    const said = isRecord(entry) ? entry : {};
    const meta = isRecord(said["meta"]) ? said["meta"] : {};
    const window = [
      said["context_length"],
      said["context_window"],
      said["max_model_len"],
      meta["n_ctx"],
      meta["n_ctx_train"],
    ].flatMap((value) => positive(value) ?? []);
    return {
      ...factsOf(id, api),
      ...(window[0] !== undefined && { contextWindow: window[0] }),
    };
  });
}

/** Hosts list models that paint, speak or embed beside those that answer. */
function isForOtherThings(entry: unknown): boolean {
  const type = textIn(entry, "type")[0] ?? "";
  const id = textIn(entry, "id")[0] ?? "";
  return (
    /image|video|audio|speech|music|embed|moderation|rerank|tts|stt|ocr/.test(type) ||
    /(^|[-/])(text-)?embed/.test(id)
  );
}

function factsOf(id: string, api: ProtocolId | undefined): ModelFacts {
  return { ...UNKNOWN, id, name: id, ...(api !== undefined && { api }) };
}

async function askJson(fetch: FetchLike, url: string, init: BunFetchRequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  const text = await boundedBody(response, url);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${url} did not answer with JSON`, { cause: error });
  }
}

async function boundedBody(response: Response, url: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BYTES) throw new Error(`${url} answered with too much`);
  }
  return text;
}

/** @throws when there is no list and no `otherwise` */
function listIn(value: unknown, key: string, otherwise?: readonly unknown[]): readonly unknown[] {
  const list = isRecord(value) ? value[key] : undefined;
  if (Array.isArray(list)) return list;
  if (otherwise) return otherwise;
  throw new Error(`the answer has no list "${key}"`);
}

function textIn(value: unknown, key: string): readonly string[] {
  const text = isRecord(value) ? value[key] : undefined;
  return typeof text === "string" && text !== "" && text.length < 300 ? [text] : [];
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
