import { workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadModelsFile, parseModelsFile } from "./models-file.ts";

const parse = (text: string) => parseModelsFile(text, "models.yml");
/** Problems of one provider, written as JSON, which is YAML too. */
const problemsOf = (provider: object) => {
  const { problems, providers } = parse(JSON.stringify({ providers: { p: provider } }));
  // Something fatal and only something fatal leaves the provider out.
  expect(providers.has("p")).toBe(!problems.some(({ message }) => message.includes("left out")));
  return problems.map(({ place, message }) => `${place.replace(/^.*: /, "")} ${message}`);
};

const FULL = { baseUrl: "http://127.0.0.1:1/v1", apiKey: "K", api: "openai-completions" };
const MODEL = { id: "m" };

test("PM-06 every field of a provider is accepted", () => {
  const provider = {
    ...FULL,
    headers: { "X-Team": "platform" },
    authHeader: true,
    auth: "apiKey",
    disableStrictTools: true,
    discovery: { type: "openai-models-list" },
    modelOverrides: { m: { name: "Renamed" } },
    models: [MODEL],
    compat: { supportsStore: true },
    transport: "pi-native",
  };
  expect(problemsOf(provider)).toEqual([
    "providers.p.transport pi-native is not built yet and is ignored: requests go out in the protocol of api",
  ]);
  expect(parse(JSON.stringify({ providers: { p: provider } })).providers.get("p")).toEqual(
    provider as never,
  );
});

test("every field of a model is accepted, here and in modelOverrides", () => {
  const fields = {
    name: "M",
    reasoning: true,
    thinking: { mode: "effort", levels: ["low", "high"] },
    input: ["text", "image"],
    cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
    premiumMultiplier: 0.5,
    contextWindow: 1000,
    maxTokens: 100,
    headers: { "X-A": "a" },
    compat: { extraBody: { a: 1 }, reasoningEffortMap: { xhigh: "max" } },
    contextPromotionTarget: "other",
  };
  const api = "anthropic-messages";
  expect(problemsOf({ ...FULL, models: [{ id: "m", api, ...fields }] })).toEqual([]);
  expect(problemsOf({ modelOverrides: { m: fields } })).toEqual([]);
});

test("PM-09 the protocols of the list are accepted for provider and model, others are not", () => {
  for (const api of [
    "openai-completions",
    "openai-responses",
    "openai-codex-responses",
    "azure-openai-responses",
    "anthropic-messages",
    "google-generative-ai",
    "google-vertex",
  ]) {
    expect(problemsOf({ ...FULL, api, models: [{ ...MODEL, api }] })).toEqual([]);
  }
  expect(problemsOf({ ...FULL, api: "foo", models: [MODEL] })[0]).toStartWith(
    "providers.p.api must be one of openai-completions, openai-responses",
  );
  expect(problemsOf({ ...FULL, models: [{ ...MODEL, api: "foo" }] })[0]).toStartWith(
    "providers.p.models.0.api must be one of openai-completions",
  );
});

test("PM-10 auth is apiKey, none or oauth; oauth does not replace the key", () => {
  for (const auth of ["apiKey", "none", "oauth"]) {
    expect(problemsOf({ ...FULL, auth, models: [MODEL] })).toEqual([]);
  }
  expect(problemsOf({ ...FULL, auth: "magic", models: [MODEL] })).toHaveLength(1);
  const { apiKey: _apiKey, ...keyless } = FULL;
  expect(problemsOf({ ...keyless, auth: "oauth", models: [MODEL] })).toEqual([
    "providers.p has models and needs apiKey, or auth: none; the provider p is left out",
  ]);
  expect(problemsOf({ ...keyless, auth: "none", models: [MODEL] })).toEqual([]);
});

test("PM-11 PM-15 five kinds of discovery; all but proxy need api", () => {
  const types = ["ollama", "llama.cpp", "lm-studio", "openai-models-list", "proxy"];
  const baseUrl = FULL.baseUrl;
  for (const type of types) {
    expect(problemsOf({ baseUrl, api: "openai-completions", discovery: { type } })).toEqual([]);
    expect(problemsOf({ baseUrl, discovery: { type } })).toHaveLength(type === "proxy" ? 0 : 1);
  }
  expect(problemsOf({ ...FULL, discovery: { type: "foo" } })[0]).toStartWith(
    "providers.p.discovery.type must be one of ollama, llama.cpp",
  );
  expect(problemsOf({ ...FULL, discovery: {} })[0]).toStartWith("providers.p.discovery needs type");
});

test("PM-13 a provider with models needs baseUrl, apiKey and api, and the message names it", () => {
  const provider = { ...FULL, models: [MODEL, { id: "n" }] };
  expect(problemsOf(provider)).toEqual([]);
  for (const [key, message] of [
    ["baseUrl", "providers.p has models and needs baseUrl"],
    ["apiKey", "providers.p has models and needs apiKey"],
    ["api", "providers.p.models.0 needs api"],
  ] as const) {
    const { [key]: _left, ...rest } = provider;
    expect(problemsOf(rest)[0]).toStartWith(message);
    expect(problemsOf(rest)[0]).toContain("the provider p is left out");
  }
  const { api, ...rest } = provider;
  expect(problemsOf({ ...rest, models: [{ ...MODEL, api }] })).toEqual([]);
});

test("PM-14 a provider without models must say something", () => {
  expect(problemsOf({})[0]).toStartWith("providers.p says nothing: it needs models, or one of");
  expect(problemsOf({ models: [], authHeader: true })).toHaveLength(1);
  for (const one of [
    { baseUrl: FULL.baseUrl },
    { apiKey: "K" },
    { headers: { a: "b" } },
    { compat: {} },
    { disableStrictTools: true },
    { modelOverrides: {} },
    { discovery: { type: "proxy" } },
  ]) {
    expect(problemsOf(one)).toEqual([]);
  }
});

test("PM-16 a model needs an id, and limits greater than zero", () => {
  const models = [{ name: "no id" }, { id: "a", contextWindow: 0 }, { id: "b", maxTokens: -1 }];
  expect(problemsOf({ ...FULL, models })).toEqual([
    "providers.p.models.0 needs id; the provider p is left out",
    "providers.p.models.1.contextWindow must be a number greater than zero, not 0; the provider p is left out",
    "providers.p.models.2.maxTokens must be a number greater than zero, not -1; the provider p is left out",
  ]);
});

test("PM-98 what the catalogue alone decides cannot be set, and is said to be unknown", () => {
  for (const key of [
    "disableAdaptiveThinking",
    "supportsEagerToolInputStreaming",
    "supportsLongCacheRetention",
    "supportsMidConversationSystem",
  ]) {
    const { problems, providers } = parse(
      JSON.stringify({ providers: { p: { compat: { [key]: true } } } }),
    );
    expect(problems[0]!.message).toStartWith("is not known and is ignored.");
    expect(providers.get("p")).toEqual({ compat: {} });
  }
});

test("a problem names file, line, key and the right key; the other providers stay", () => {
  const { providers, problems } = parse(`providers:
  good:
    baseUrl: http://127.0.0.1:1
    hedaers: {}
  bad:
    baseUrl: not an address
`);
  expect([...providers.keys()]).toEqual(["good"]);
  expect(problems).toEqual([
    {
      place: "models.yml:4: providers.good.hedaers",
      message: "is not known and is ignored. Did you mean headers?",
    },
    {
      place: "models.yml:6: providers.bad.baseUrl",
      message:
        'must be an http or https address, not "not an address"; the provider bad is left out',
    },
  ]);
});

test("a wrong key is not repeated in the message", () => {
  const { problems } = parse("providers:\n  p:\n    apiKey: 12345678\n");
  expect(JSON.stringify(problems)).not.toContain("12345678");
  expect(problems[0]!.message).toStartWith("must be a text");
});

test("a file that is no YAML is told with its line", () => {
  const { providers, problems } = parse("providers:\n  a: {\n  b:\n");
  expect(providers.size).toBe(0);
  expect(problems[0]!.place).toBe("models.yml:2");
  expect(problems[0]!.message).toContain("cannot be read");
});

test("an empty file, or one of comments, says nothing and is no problem", () => {
  expect(parse("").problems).toEqual([]);
  expect(parse("# nothing yet\n").problems).toEqual([]);
  expect(parse("- a list\n").problems[0]!.message).toContain("must be a map");
});

test("PM-02 models.json becomes models.yml once", async () => {
  await using place = await workspace();
  const data = { providers: { p: { ...FULL, apiKey: "!cat 'k: #x'", models: [MODEL] } } };
  await place.write("models.json", JSON.stringify(data));
  const path = join(place.path, "models.yml");
  expect((await loadModelsFile(path)).providers.get("p")).toEqual(data.providers.p as never);
  expect(Bun.YAML.parse(await place.read("models.yml"))).toEqual(data);
  await place.write("models.json", "{}");
  expect((await loadModelsFile(path)).providers.has("p")).toBe(true);
});

test("a models.json that cannot be used is named and left alone", async () => {
  await using place = await workspace({ files: { "models.json": '{\n  "providers": [\n' } });
  const { problems } = await loadModelsFile(join(place.path, "models.yml"));
  expect(problems[0]!.place).toContain("models.json");
  expect(existsSync(join(place.path, "models.yml"))).toBe(false);
});

test("PM-03 a .jsonc file with comments is read as it is", async () => {
  await using place = await workspace();
  const text = `{ // mine\n "providers": { "p": ${JSON.stringify({ ...FULL, models: [MODEL] })}, } }`;
  const path = await place.write("mine.jsonc", text);
  const { providers, problems } = await loadModelsFile(path);
  expect(problems).toEqual([]);
  expect(providers.get("p")?.models).toEqual([MODEL]);
});
