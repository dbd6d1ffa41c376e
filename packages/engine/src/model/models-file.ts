/** models.yml: read, checked provider by provider, so that one mistake costs one provider. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf, replaceFile } from "@omp/std";
import { checkedValue, type Complaint } from "./checked-value.ts";
import type { ModelProblem } from "./model-registry.ts";
import { NO_CONFIG, type ModelsConfig, type ProviderConfig } from "./models-config.ts";
import { fileRule, providerRule } from "./models-rules.ts";
import { faultLine, lineOf, type KeyPath } from "../yaml-place.ts";

/** Never fails: what cannot be used is told in `problems`. `.json` and `.jsonc` files are read as they are. */
export async function loadModelsFile(path: string): Promise<ModelsConfig> {
  try {
    if (existsSync(path)) return parseModelsFile(readFileSync(path, "utf8"), path);
    const legacy = join(dirname(path), "models.json");
    return path.endsWith(".yml") && existsSync(legacy) ? await convert(legacy, path) : NO_CONFIG;
  } catch (error) {
    const message = `cannot be read (${messageOf(error)}); its providers are left out`;
    return { ...NO_CONFIG, problems: [{ place: path, message }] };
  }
}

/** Older versions kept JSON. It is used as it is; the file of the new name is for the next time. */
async function convert(legacy: string, path: string): Promise<ModelsConfig> {
  const text = readFileSync(legacy, "utf8");
  const config = parseModelsFile(text, legacy);
  if (config.problems.length > 0) return config;
  await replaceFile(path, `${Bun.YAML.stringify(Bun.JSONC.parse(text), null, 2)}\n`, {
    mode: 0o600,
  });
  return config;
}

export function parseModelsFile(text: string, path: string): ModelsConfig {
  const parse = /\.jsonc?$/.test(path) ? Bun.JSONC.parse : Bun.YAML.parse;
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    const line = faultLine(text, (beginning) => parses(parse, beginning));
    const message = `cannot be read: ${messageOf(error)}. Its providers are left out`;
    return { ...NO_CONFIG, problems: [{ place: `${path}:${line}`, message }] };
  }
  return checkFile(value ?? {}, (keys, message) => ({
    place: `${path}:${lineOf(text, keys)}: ${keys.join(".")}`,
    message,
  }));
}

function parses(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    return !(error instanceof SyntaxError);
  }
}

type Problem = (path: KeyPath, message: string) => ModelProblem;

function checkFile(file: unknown, problem: Problem): ModelsConfig {
  const { value, complaints } = checkedValue(file, fileRule, []);
  const problems = complaints.map(({ path, message }) => problem(path, message));
  if (complaints.some(({ isFatal }) => isFatal)) return { ...NO_CONFIG, problems };
  const { providers = {}, equivalence = {} } = value as {
    providers?: Record<string, unknown>;
    equivalence?: { overrides?: Record<string, string>; exclude?: string[] };
  };
  const good = new Map<string, ProviderConfig>();
  for (const [id, raw] of Object.entries(providers)) {
    const path = ["providers", id];
    const checked = checkedValue(raw, providerRule, path);
    const config = checked.value as ProviderConfig;
    const broken = checked.complaints.filter(({ isFatal }) => isFatal);
    const found: readonly Complaint[] =
      broken.length > 0 ? checked.complaints : [...checked.complaints, ...lacks(config, path)];
    problems.push(...found.map((one) => problem(one.path, withConsequence(one, id))));
    if (!found.some(({ isFatal }) => isFatal)) good.set(id, config);
  }
  return {
    providers: good,
    overrides: new Map(Object.entries(equivalence.overrides ?? {})),
    exclude: new Set(equivalence.exclude),
    problems,
  };
}

function withConsequence({ message, isFatal }: Complaint, id: string): string {
  return isFatal ? `${message}; the provider ${id} is left out` : message;
}

/** What a provider must say besides having the right fields. */
function* lacks(config: ProviderConfig, path: KeyPath): Generator<Complaint> {
  const need = (message: string, at = path) => ({ path: at, message, isFatal: true });
  const { models = [], api, discovery, transport } = config;
  if (transport !== undefined) {
    const message = `${transport} is not built yet and is ignored: requests go out in the protocol of api`;
    yield { path: [...path, "transport"], message, isFatal: false };
  }
  if (discovery && api === undefined && discovery.type !== "proxy") {
    yield need(`needs api: discovery of type ${discovery.type} does not tell it`);
  }
  if (models.length === 0) {
    if (!OVERRIDES.some((key) => config[key] !== undefined)) {
      yield need(`says nothing: it needs models, or one of ${OVERRIDES.join(", ")}`);
    }
    return;
  }
  if (config.baseUrl === undefined) yield need("has models and needs baseUrl");
  if (config.apiKey === undefined && config.auth !== "none") {
    yield need("has models and needs apiKey, or auth: none");
  }
  for (const [index, model] of models.entries()) {
    if (api !== undefined || model.api !== undefined) continue;
    yield need("needs api, here or on its provider", [...path, "models", index]);
  }
}

const OVERRIDES = [
  "baseUrl",
  "apiKey",
  "headers",
  "compat",
  "disableStrictTools",
  "modelOverrides",
  "discovery",
] as const;
