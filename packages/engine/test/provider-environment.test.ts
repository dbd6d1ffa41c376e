/** The environment of model providers: which variable holds whose key, and where a request carries it. */

import { modelOf, providers, stream } from "@omp/ai";
import { systemClock } from "@omp/std";
import { say, scriptedModel, turn, type RecordedRequest, type ScriptedModel } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { openModels } from "../src/boot.ts";
import { createProofs } from "../src/model/proofs.ts";
import { stage, type Stage, type StageOptions } from "./stage.ts";

type Variables = Readonly<Record<string, string>>;

interface Row {
  readonly provider: string;
  /** The strongest first. */
  readonly variables: readonly string[];
  /** Else the provider's default. */
  readonly model?: string;
  /** Where the key belongs; a bearer token unless the header is a vendor's own. */
  readonly header?: string;
  /** What follows the host in its address. */
  readonly path?: string;
  /** The variable that leads to the scripted model; else models.yml does. */
  readonly addressEnv?: string;
  /** Where it is when nobody says otherwise. */
  readonly address?: string;
  /** The path that tells its models, and with them whether the key is good. */
  readonly listedAt?: string;
  /** Variables that look like its own and are not. */
  readonly notFrom?: readonly string[];
  /** It may be there without a key. */
  readonly isOptional?: boolean;
}

function row(provider: string, variables: readonly string[], more: Partial<Row> = {}): Row {
  return { provider, variables, ...more };
}

/** Rows whose other half is about search or pictures: they claim nothing. */
const HALF_ROWS: readonly Row[] = [
  row("openai", ["OPENAI_API_KEY"], { addressEnv: "OPENAI_BASE_URL" }),
  row("openrouter", ["OPENROUTER_API_KEY"], { header: "x-api-key", path: "" }),
  row("zai", ["ZAI_API_KEY"]),
];

const ROWS: readonly (Row & { readonly id: string })[] = [
  {
    id: "ENV-011",
    ...row("google", ["GEMINI_API_KEY"], {
      header: "x-goog-api-key",
      path: "/v1beta",
      notFrom: ["GOOGLE_API_KEY"],
    }),
  },
  {
    id: "ENV-013",
    ...row("huggingface", ["HUGGINGFACE_HUB_TOKEN", "HF_TOKEN"]),
  },
  {
    id: "ENV-014",
    ...row("xai-oauth", ["XAI_OAUTH_TOKEN", "XAI_API_KEY"]),
  },
  {
    id: "ENV-014",
    ...row("xai", ["XAI_API_KEY"]),
  },
  {
    id: "ENV-015",
    ...row("qwen-portal", ["QWEN_OAUTH_TOKEN", "QWEN_PORTAL_API_KEY"]),
  },
  {
    id: "ENV-016",
    ...row("groq", ["GROQ_API_KEY"]),
  },
  {
    id: "ENV-017",
    ...row("cerebras", ["CEREBRAS_API_KEY"]),
  },
  {
    id: "ENV-018",
    ...row("fireworks", ["FIREWORKS_API_KEY"]),
  },
  {
    id: "ENV-019",
    ...row("firepass", ["FIREPASS_API_KEY"]),
  },
  {
    id: "ENV-020",
    ...row("together", ["TOGETHER_API_KEY"]),
  },
  {
    id: "ENV-021",
    ...row("aimlapi", ["AIMLAPI_API_KEY"], { address: "https://api.aimlapi.com/v1" }),
  },
  {
    id: "ENV-022",
    ...row("synthetic", ["SYNTHETIC_API_KEY"]),
  },
  {
    id: "ENV-023",
    ...row("nvidia", ["NVIDIA_API_KEY"]),
  },
  {
    id: "ENV-024",
    ...row("nanogpt", ["NANO_GPT_API_KEY"]),
  },
  {
    id: "ENV-025",
    ...row("venice", ["VENICE_API_KEY"]),
  },
  {
    id: "ENV-026",
    ...row("litellm", ["LITELLM_API_KEY"]),
  },
  {
    id: "ENV-027",
    ...row("xiaomi", ["XIAOMI_API_KEY"]),
  },
  {
    id: "ENV-028",
    ...row("moonshot", ["MOONSHOT_API_KEY"]),
  },
  {
    id: "ENV-030",
    ...row("mistral", ["MISTRAL_API_KEY"]),
  },
  {
    id: "ENV-032",
    ...row("zhipu-coding-plan", ["ZHIPU_API_KEY"]),
  },
  {
    id: "ENV-033",
    ...row("minimax", ["MINIMAX_API_KEY"], { header: "x-api-key", path: "" }),
  },
  {
    id: "ENV-034",
    ...row("minimax-code", ["MINIMAX_CODE_API_KEY"]),
  },
  {
    id: "ENV-035",
    ...row("minimax-code-cn", ["MINIMAX_CODE_CN_API_KEY"]),
  },
  {
    id: "ENV-036",
    ...row("opencode-go", ["OPENCODE_API_KEY"]),
  },
  {
    id: "ENV-036",
    ...row("opencode-zen", ["OPENCODE_API_KEY"], { header: "x-api-key", path: "" }),
  },
  {
    id: "ENV-037",
    ...row("qianfan", ["QIANFAN_API_KEY"]),
  },
  {
    id: "ENV-038",
    ...row("zenmux", ["ZENMUX_API_KEY"], {
      model: "anthropic/claude-sonnet-4.5",
      header: "x-api-key",
      path: "",
    }),
  },
  {
    id: "ENV-038",
    ...row("zenmux", ["ZENMUX_API_KEY"], { model: "openai/gpt-5" }),
  },
  {
    id: "ENV-040",
    ...row("vercel-ai-gateway", ["AI_GATEWAY_API_KEY"], { header: "x-api-key", path: "" }),
  },
  {
    id: "ENV-041",
    ...row("cloudflare-ai-gateway", ["CLOUDFLARE_AI_GATEWAY_API_KEY"], {
      header: "cf-aig-authorization",
      path: "/v1/account/gateway/anthropic",
    }),
  },
  {
    id: "ENV-042",
    ...row("alibaba-coding-plan", ["ALIBABA_CODING_PLAN_API_KEY"]),
  },
  {
    id: "ENV-043",
    ...row("deepseek", ["DEEPSEEK_API_KEY"]),
  },
  {
    id: "ENV-044",
    ...row("kilo", ["KILO_API_KEY"]),
  },
  {
    id: "ENV-045",
    ...row("ollama-cloud", ["OLLAMA_CLOUD_API_KEY"], { path: "" }),
  },
  {
    id: "ENV-046",
    ...row("wafer-pass", ["WAFER_PASS_API_KEY"], {
      address: "https://pass.wafer.ai/v1",
      listedAt: "/v1/models",
    }),
  },
  {
    id: "ENV-047",
    ...row("wafer-serverless", ["WAFER_SERVERLESS_API_KEY"], {
      address: "https://pass.wafer.ai/v1",
      listedAt: "/v1/models",
    }),
  },
  {
    id: "ENV-049",
    ...row("lm-studio", ["LM_STUDIO_API_KEY"], {
      addressEnv: "LM_STUDIO_BASE_URL",
      isOptional: true,
    }),
  },
  {
    id: "ENV-049",
    ...row("ollama", ["OLLAMA_API_KEY"], { addressEnv: "OLLAMA_BASE_URL", isOptional: true }),
  },
  {
    id: "ENV-049",
    ...row("llama.cpp", ["LLAMA_CPP_API_KEY"], {
      addressEnv: "LLAMA_CPP_BASE_URL",
      isOptional: true,
    }),
  },
  {
    id: "ENV-050",
    ...row("vllm", ["VLLM_API_KEY"], { listedAt: "/v1/models" }),
  },
  {
    id: "ENV-051",
    ...row("github-copilot", ["COPILOT_GITHUB_TOKEN"], { notFrom: ["GITHUB_TOKEN", "GH_TOKEN"] }),
  },
];

test.each(ROWS)("$id $provider takes its key from $variables", carriesItsKey);
test.each(HALF_ROWS)("$provider takes its key from $variables", carriesItsKey);

/** Takes away the strongest variable until none is left. */
async function carriesItsKey(row: Row): Promise<void> {
  await using set = await stage([]);
  // Vendors differ in what they refuse, and that is not the matter here.
  await using model = await scriptedModel([turn(say("ok"))], { repeatLast: true, strict: false });
  await using gate = keyedGate(model, row);
  if (row.address !== undefined) {
    expect(providers.find(({ id }) => id === row.provider)?.baseUrl).toBe(row.address);
  }
  const place = await leadTo(set, gate.url, row);
  if (!row.isOptional) {
    const others = (row.notFrom ?? []).map((name) => [name, keyOf(name)]);
    const without = { ...place, ...(Object.fromEntries(others) as Variables) };
    expect(await availableIn(set, without)).not.toContain(row.provider);
    expect(gate.seen).toEqual([]);
  }
  for (const [index, name] of row.variables.entries()) {
    const given = row.variables.slice(index).map((variable) => [variable, keyOf(variable)]);
    const environment = { ...place, ...(Object.fromEntries(given) as Variables) };
    expect(await availableIn(set, environment)).toContain(row.provider);
    await promptOnce(set, environment, row);
    const request = model.requests.at(-1)!;
    const carriers = Object.entries(request.headers).filter(([, value]) => value.includes("key-"));
    expect(carriers).toEqual([carrier(row, name)]);
  }
  if (row.listedAt !== undefined) expect(gate.seen).toContain(`GET ${row.listedAt}`);
}

const keyOf = (variable: string) => `key-${variable.toLowerCase()}`;

function carrier({ header = "authorization" }: Row, variable: string): [string, string] {
  const isBare = header === "x-api-key" || header === "x-goog-api-key";
  return [header, isBare ? keyOf(variable) : `Bearer ${keyOf(variable)}`];
}

/** The scripted model behind a door that opens for the row's keys only, and tells which models there are. */
function keyedGate(model: ScriptedModel, { provider, variables, ...row }: Row) {
  const seen: string[] = [];
  const id = row.model ?? providers.find((one) => one.id === provider)?.defaultModel ?? "a-model";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      seen.push(`${request.method} ${pathname}`);
      const shown = [...request.headers.values()].map((value) => value.replace("Bearer ", ""));
      if (!variables.some((name) => shown.includes(keyOf(name)))) {
        return new Response("who are you?", { status: 401 });
      }
      if (pathname === "/api/show") return Response.json({});
      if (request.method === "POST") {
        const { headers, body } = request;
        return fetch(model.url + pathname + search, { method: "POST", headers, body });
      }
      return Response.json({ data: [{ id }], models: [{ name: id }] });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** The variables that lead a provider to a server, or models.yml where it has none. */
async function leadTo(
  { place }: Stage,
  url: string,
  { provider, addressEnv, path = "/v1" }: Row,
): Promise<Variables> {
  if (addressEnv !== undefined) return { [addressEnv]: url + path };
  const yaml = JSON.stringify({ providers: { [provider]: { baseUrl: url + path } } });
  await place.write("../home/.omp/agent/models.yml", yaml);
  return {};
}

/** Nothing is set but these; servers of the machine the tests run on are none of their business. */
function only(environment: Variables): NonNullable<StageOptions["env"]> {
  return {
    ANTHROPIC_API_KEY: undefined,
    ANTHROPIC_BASE_URL: undefined,
    OPENAI_API_KEY: undefined,
    OPENAI_BASE_URL: undefined,
    HOUSE_URL: undefined,
    HOUSE_KEY: undefined,
    OLLAMA_BASE_URL: "http://127.0.0.1:9",
    LLAMA_CPP_BASE_URL: "http://127.0.0.1:9",
    LM_STUDIO_BASE_URL: "http://127.0.0.1:9/v1",
    ...environment,
  };
}

/** Ids of the providers with models that can be called. */
async function availableIn(set: Stage, environment: Variables): Promise<readonly string[]> {
  return [...new Set((await callable(set, environment)).map(({ provider }) => provider))];
}

async function addressesIn(set: Stage, provider: string, environment: Variables) {
  const own = (await callable(set, environment)).filter((model) => model.provider === provider);
  return [...new Set(own.map(({ baseUrl }) => baseUrl))];
}

async function callable({ place }: Stage, environment: Variables) {
  await using opened = await openModels({
    cwd: place.path,
    home: place.home,
    environment: only({ HOME: place.home, ...environment }),
  });
  return opened.registry.available();
}

/** The request of one prompt, the last one the stage's own model has seen. */
async function promptOnce(
  set: Stage,
  environment: Variables,
  wishes: Wishes,
  options: StageOptions = {},
): Promise<RecordedRequest> {
  const { provider, model } = wishes;
  await using booted = await set.boot({
    env: only(environment),
    model: { provider, model },
    ...options,
  });
  const result = await booted.prompt("go");
  expect(result.errorMessage).toBeUndefined();
  return set.model.requests.at(-1)!;
}

interface Wishes {
  readonly provider: string;
  readonly model?: string;
}

describe("Anthropic", () => {
  test("ENV-009 a gateway's key goes before the token, and that before the key", async () => {
    await using set = await stage([turn(say("1")), turn(say("2")), turn(say("3")), turn(say("4"))]);
    const keys = {
      ANTHROPIC_FOUNDRY_API_KEY: "key-foundry",
      ANTHROPIC_OAUTH_TOKEN: "sk-ant-oat-key-token",
      ANTHROPIC_API_KEY: "key-plain",
    };
    const on = { CLAUDE_CODE_USE_FOUNDRY: "1", FOUNDRY_BASE_URL: set.model.url };
    const carriers = async (environment: Variables) => {
      const { headers } = await promptOnce(set, environment, { provider: "anthropic" });
      return Object.entries(headers).filter(([, value]) => value.includes("key-"));
    };
    expect(await carriers({ ...on, ...keys })).toEqual([["authorization", "Bearer key-foundry"]]);
    const { ANTHROPIC_FOUNDRY_API_KEY: _foundry, ...own } = keys;
    const token: [string, string][] = [["authorization", "Bearer sk-ant-oat-key-token"]];
    expect(await carriers({ ...on, ...own })).toEqual(token);
    // The key of the gateway is nothing to Anthropic itself.
    expect(await carriers({ ANTHROPIC_BASE_URL: set.model.url, ...keys })).toEqual(token);
    const { ANTHROPIC_OAUTH_TOKEN: _token, ...last } = own;
    expect(await carriers({ ...on, ...last })).toEqual([["x-api-key", "key-plain"]]);
  });

  test("ENV-060 its address is the variable's, else its own", async () => {
    await using set = await stage([turn(say("ok"))]);
    const key = { ANTHROPIC_API_KEY: "key-plain" };
    const place = { ANTHROPIC_BASE_URL: set.model.url };
    const { path } = await promptOnce(set, { ...key, ...place }, { provider: "anthropic" });
    expect(path).toBe("/v1/messages");
    expect(await addressesIn(set, "anthropic", key)).toEqual(["https://api.anthropic.com"]);
  });
});

describe("Amazon Bedrock", () => {
  const bedrock = { provider: "amazon-bedrock" };
  const at = ({ model }: Stage) => ({ AWS_ENDPOINT_URL_BEDROCK_RUNTIME: model.url });

  test("ENV-062 a bearer token goes before a profile, which is not even looked for", async () => {
    await using set = await stage([turn(say("ok"))]);
    const both = { AWS_BEARER_TOKEN_BEDROCK: "key-bearer", AWS_PROFILE: "nowhere" };
    const { headers } = await promptOnce(set, { ...at(set), ...both }, bedrock);
    expect(headers["authorization"]).toBe("Bearer key-bearer");
    expect(headers).not.toHaveProperty("x-amz-date");
  });

  test("ENV-064 dummy credentials reach a proxy; without any there is no way in", async () => {
    await using set = await stage([turn(say("ok"))]);
    const skip = { AWS_BEDROCK_SKIP_AUTH: "1" };
    const { wire } = await promptOnce(set, { ...at(set), ...skip }, bedrock);
    expect(wire).toBe("bedrock-converse-stream");
    await expect(promptOnce(set, at(set), bedrock)).rejects.toThrow("Amazon Bedrock");
    expect(set.model.requests).toHaveLength(1);
  });

  test("ENV-063 each group of variables is a way in, and signs", async () => {
    await using set = await stage(Array.from({ length: 4 }, () => turn(say("ok"))));
    await using issuer = awsIssuer();
    const { place } = set;
    await place.write(
      "../home/.aws/credentials",
      "[work]\naws_access_key_id = PROFILE\naws_secret_access_key = s\n",
    );
    await place.write("token", "jwt");
    const groups = {
      PROFILE: { AWS_PROFILE: "work" },
      PAIR: { AWS_ACCESS_KEY_ID: "PAIR", AWS_SECRET_ACCESS_KEY: "s" },
      CONTAINER: { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${issuer.url}/agent` },
      WEB: {
        AWS_WEB_IDENTITY_TOKEN_FILE: `${place.path}/token`,
        AWS_ROLE_ARN: "arn:aws:iam::1:role/r",
        AWS_ENDPOINT_URL_STS: issuer.url,
      },
    };
    expect(await availableIn(set, {})).not.toContain("amazon-bedrock");
    for (const [id, group] of Object.entries(groups)) {
      expect(await availableIn(set, group as Variables)).toContain("amazon-bedrock");
      const { headers } = await promptOnce(set, { ...at(set), ...(group as Variables) }, bedrock);
      expect(headers["authorization"]).toStartWith(`AWS4-HMAC-SHA256 Credential=${id}/`);
    }
  });

  test("ENV-063 a path alone is asked of the container's own agent", async () => {
    await using set = await stage([turn(say("ok"))]);
    await using issuer = awsIssuer();
    const environment = { ...at(set), AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/agent" };
    expect(await availableIn(set, environment)).toContain("amazon-bedrock");
    const provider = providers.find(({ id }) => id === "amazon-bedrock")!;
    const proofs = createProofs({
      environment,
      clock: systemClock,
      // The agent's address exists in containers only.
      fetch: (url, init) => fetch(url.replace("http://169.254.170.2", issuer.url), init),
      run: () => Promise.resolve(undefined),
    });
    const request = {
      model: modelOf(provider, provider.defaultModel!, environment),
      systemPrompt: "Be brief.",
      messages: [{ role: "user", content: "go", timestamp: 0 } as const],
      tools: [],
    };
    const { signal } = new AbortController();
    await stream(request, { sign: proofs.signerOf(provider), clock: systemClock, signal }).result;
    expect(set.model.requests[0]?.headers["authorization"]).toContain("Credential=CONTAINER/");
  });
});

/** Hands out credentials as a container's agent and as the token service. */
function awsIssuer() {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      url.endsWith("/agent")
        ? Response.json({ AccessKeyId: "CONTAINER", SecretAccessKey: "s", Token: "t" })
        : new Response("<AccessKeyId>WEB</AccessKeyId><SecretAccessKey>s</SecretAccessKey>"),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

describe("Azure", () => {
  const azure = { provider: "azure", model: "gpt-4.1" };
  const at = ({ model }: Stage) => ({ AZURE_OPENAI_BASE_URL: `${model.url}/openai/v1` });
  const KEY = { AZURE_OPENAI_API_KEY: "key-azure" };

  test("ENV-067 without a key the error names the variable; one given otherwise will do", async () => {
    await using set = await stage([turn(say("1")), turn(say("2"))]);
    const lost = promptOnce(set, at(set), azure);
    await expect(lost).rejects.toThrow("AZURE_OPENAI_API_KEY");
    const { headers } = await promptOnce(set, { ...at(set), ...KEY }, azure);
    expect(headers["api-key"]).toBe("key-azure");
    const given = await promptOnce(set, at(set), azure, { apiKey: "key-flag" });
    expect(given.headers["api-key"]).toBe("key-flag");
  });

  test("ENV-068 ENV-070 version and deployments are the variables'", async () => {
    await using set = await stage([turn(say("1")), turn(say("2"))]);
    const usual = await promptOnce(set, { ...at(set), ...KEY }, azure);
    expect(usual).toMatchObject({ query: "api-version=v1", body: { model: "gpt-4.1" } });
    const own = {
      AZURE_OPENAI_API_VERSION: "2025-04-01-preview",
      AZURE_OPENAI_DEPLOYMENT_NAME_MAP: "gpt-5=other,gpt-4.1=prod-x",
    };
    const named = await promptOnce(set, { ...at(set), ...KEY, ...own }, azure);
    expect(named.query).toBe("api-version=2025-04-01-preview");
    expect(named.body).toMatchObject({ model: "prod-x" });
  });
});

describe("Google Vertex AI", () => {
  const vertex = { provider: "google-vertex" };
  const PLACE = { GOOGLE_CLOUD_PROJECT: "p1", GOOGLE_VERTEX_LOCATION: "europe-west4" };
  const lead = ({ place, model }: Stage, path: string) =>
    place.write(
      "../home/.omp/agent/models.yml",
      JSON.stringify({ providers: { "google-vertex": { baseUrl: model.url + path } } }),
    );

  test("ENV-072 a key, a file that is named, or the usual file prove who asks", async () => {
    await using set = await stage([turn(say("1")), turn(say("2")), turn(say("3"))]);
    await using issuer = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const refresh = new URLSearchParams(await request.text()).get("refresh_token");
        return Response.json({ access_token: `token-of-${refresh}`, expires_in: 3600 });
      },
    });
    const credentials = (refresh_token: string) =>
      JSON.stringify({
        type: "authorized_user",
        client_id: "c",
        client_secret: "s",
        refresh_token,
        token_uri: issuer.url.href,
      });
    await lead(set, "/v1");
    const keyed = await promptOnce(set, { GOOGLE_CLOUD_API_KEY: "key-google" }, vertex);
    expect(keyed.headers["x-goog-api-key"]).toBe("key-google");

    await lead(set, "/v1/projects/p1/locations/europe-west4");
    const { place } = set;
    await place.write("named.json", credentials("named"));
    await place.write(
      "../home/.config/gcloud/application_default_credentials.json",
      credentials("usual"),
    );
    const named = { ...PLACE, GOOGLE_APPLICATION_CREDENTIALS: `${place.path}/named.json` };
    expect((await promptOnce(set, named, vertex)).headers["authorization"]).toBe(
      "Bearer token-of-named",
    );
    expect((await promptOnce(set, PLACE, vertex)).headers["authorization"]).toBe(
      "Bearer token-of-usual",
    );
    const lost = { ...PLACE, GOOGLE_APPLICATION_CREDENTIALS: "/nowhere.json" };
    await using booted = await set.boot({ env: only(lost), model: vertex });
    expect((await booted.prompt("go")).errorMessage).toContain("/nowhere.json");
    expect(set.model.requests).toHaveLength(3);
    // Credentials alone are no way in: they count where the place is known.
    const placeless = { GOOGLE_APPLICATION_CREDENTIALS: `${place.path}/named.json` };
    expect(await availableIn(set, placeless)).not.toContain("google-vertex");
  });
});

describe("requests", () => {
  const at = ({ model }: Stage) => ({
    anthropic: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-a" },
    openai: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "key-o" },
    "amazon-bedrock": {
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: model.url,
      AWS_BEARER_TOKEN_BEDROCK: "key-b",
    },
  });

  test.each([
    ["anthropic", '"ttl":"1h"'],
    ["openai", '"prompt_cache_retention":"24h"'],
    ["amazon-bedrock", '"ttl":"1h"'],
  ] as const)(
    "ENV-081 %s keeps what it has read for long when asked to",
    async (provider, word) => {
      await using set = await stage([turn(say("1")), turn(say("2"))]);
      const place = at(set)[provider];
      const usual = await promptOnce(set, place, { provider });
      expect(JSON.stringify(usual.body)).not.toMatch(/"ttl"|retention/);
      const long = await promptOnce(set, { ...place, PI_CACHE_RETENTION: "long" }, { provider });
      expect(JSON.stringify(long.body)).toContain(word);
    },
  );

  test("no tool is strict when that is switched off", async () => {
    await using set = await stage([turn(say("1")), turn(say("2")), turn(say("3"))]);
    const { openai, anthropic } = at(set);
    const strict = async (environment: Variables, provider: string) =>
      JSON.stringify((await promptOnce(set, environment, { provider })).body).includes(
        '"strict":true',
      );
    const off = { PI_NO_STRICT: "1" };
    expect(await strict(openai, "openai")).toBe(true);
    expect(await strict({ ...openai, ...off }, "openai")).toBe(false);
    expect(await strict({ ...anthropic, ...off }, "anthropic")).toBe(false);
  });
});
