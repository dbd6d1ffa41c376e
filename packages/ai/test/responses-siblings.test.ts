/** The other doors of the Responses family: Azure, a ChatGPT subscription, local servers. */

import { fail, say, scriptedModel, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { modelOf } from "../src/index.ts";
import type { Model } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { ask, KEY, providerOf, requestTo, send, stage } from "./stage.ts";

const openai = providerOf("openai");

describe("azure-openai-responses", () => {
  const azure = providerOf("azure");

  test("PROV-24 the environment names resource, version and deployments", async () => {
    const named = await addressed({ AZURE_OPENAI_RESOURCE_NAME: "acme" });
    expect(named.url).toBe("https://acme.openai.azure.com/openai/v1/responses?api-version=v1");
    expect(named.body).toMatchObject({ model: "gpt-5", store: false });
    const all = await addressed({
      AZURE_OPENAI_RESOURCE_NAME: "acme",
      AZURE_OPENAI_BASE_URL: "https://gateway.example/azure",
      AZURE_OPENAI_API_VERSION: "preview",
      AZURE_OPENAI_DEPLOYMENT_NAME_MAP: "gpt-4.1=old, gpt-5 = our-five ,gpt-5-mini=small",
    });
    expect(all.url).toBe("https://gateway.example/azure/responses?api-version=preview");
    expect(all.body).toMatchObject({ model: "our-five" });
    const bare = await addressed({ AZURE_OPENAI_BASE_URL: "https://acme.openai.azure.com/" });
    expect(bare.url).toBe("https://acme.openai.azure.com/openai/v1/responses?api-version=v1");
    expect(azure.keyEnv).toEqual(["AZURE_OPENAI_API_KEY"]);
    expect(new URL((await addressed({})).url).hostname).toEndWith(".invalid");
  });

  test("PROV-24 the key goes in a header of its own, and errors are read", async () => {
    await using server = await scriptedModel([
      turn(say("ok")),
      fail(401, { message: "Access denied" }),
    ]);
    const model = modelOf(azure, "gpt-5", { AZURE_OPENAI_BASE_URL: `${server.url}/openai/v1` });
    const { message } = await collect(ask(model));
    expect(message.content).toMatchObject([{ type: "text", text: "ok" }]);
    expect(message).toMatchObject({ api: "azure-openai-responses", model: "gpt-5" });
    const { headers = {}, path } = server.requests[0] ?? {};
    expect(path).toBe("/openai/v1/responses");
    expect(headers["api-key"]).toBe(KEY);
    expect(headers).not.toHaveProperty("authorization");
    const denied = await collect(ask(model));
    expect(denied.final).toMatchObject({ fault: { kind: "auth" } });
  });

  /** What would be sent, and where to. */
  async function addressed(env: Record<string, string>) {
    let url = "";
    let body: unknown;
    const fetch = async (to: string, init: BunFetchRequestInit) => {
      url = to;
      body = JSON.parse(String(init.body));
      return new Response("", { status: 500 });
    };
    await collect(ask(modelOf(azure, "gpt-5", env), { fetch }));
    return { url, body };
  }
});

describe("openai-codex-responses", () => {
  const codex = {
    ...openai,
    api: "openai-codex-responses",
    baseUrlEnv: "TEST_CODEX_BASE_URL",
  } as const;

  function token(claims: object): string {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    return [encode({ alg: "RS256" }), encode(claims), "c2lnbmVk"].join(".");
  }

  test("the account is the token's, the name our own, limits and sampling are the backend's", async () => {
    await using scene = await stage(codex, [turn(say("ok"))]);
    const apiKey = token({ "https://api.openai.com/auth": { chatgpt_account_id: "acc-1" } });
    const request = { ...requestTo(scene.model), sessionId: "s-1", maxTokens: 500 };
    const { final } = await collect(send(request, { apiKey }));
    expect(final.type).toBe("done");
    const [recorded] = scene.server.requests;
    expect(recorded?.path).toBe("/backend-api/codex/responses");
    expect(recorded?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      "chatgpt-account-id": "acc-1",
      originator: "omp",
      session_id: "s-1",
    });
    expect(recorded?.body).toMatchObject({
      instructions: "You are a test.",
      store: false,
      stream: true,
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "s-1",
      input: [{ role: "user" }],
    });
    for (const field of ["max_output_tokens", "temperature", "top_p"]) {
      expect(recorded?.body).not.toHaveProperty(field);
    }
  });

  test.each([
    ["a plain key", "sk-plain"],
    ["a key with dots", "a.b.c"],
    ["a token of another kind", token({ sub: "somebody" })],
  ])("%s names no account", async (_what, apiKey) => {
    let sent: Record<string, string> = {};
    const fetch = async (_url: string, init: BunFetchRequestInit) => {
      sent = init.headers as Record<string, string>;
      return new Response("", { status: 500 });
    };
    await collect(ask(modelOf(codex, "gpt-5", {}), { apiKey, fetch }));
    expect(sent["authorization"]).toBe(`Bearer ${apiKey}`);
    expect(sent).not.toHaveProperty("chatgpt-account-id");
  });
});

describe("addresses", () => {
  test.each([
    ["openai-completions", "openai", "/v1", "/v1/chat/completions"],
    ["openai-responses", "openai", "/v1", "/v1/responses"],
    ["openai-codex-responses", "gateway", "/v1", "/v1/responses"],
    ["openai-responses", "copilot", "", "/responses"],
    ["openai-responses", "ollama", "", "/v1/responses"],
    ["openai-responses", "ollama", "/", "/v1/responses"],
    ["openai-responses", "ollama", "/v1/", "/v1/responses"],
    ["openai-responses", "llama.cpp", "", "/v1/responses"],
    ["openai-responses", "llama.cpp", "/v1", "/v1/responses"],
  ] as const)("PM-47 %s of %s at %j is called at %s", async (api, provider, base, path) => {
    await using server = await scriptedModel([turn(say("ok"))]);
    const known = modelOf(openai, "gpt-5", {});
    const model: Model = { ...known, api, provider, baseUrl: server.url + base };
    const { message } = await collect(ask(model));
    expect(server.requests[0]?.path).toBe(path);
    expect(message.content).toMatchObject([{ type: "text", text: "ok" }]);
  });
});
