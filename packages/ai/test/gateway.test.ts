/** A company's gateway before Anthropic: address, key, headers and certificates from the environment. */

import { say, scriptedModel, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewayTls, withTls } from "../src/auth/gateway-tls.ts";
import { gatewayFetch, keyEnvOf, modelOf, type Environment, type FetchLike } from "../src/index.ts";
import { identity } from "./certificates.ts";
import { collect } from "./grammar.ts";
import { ask, providerOf } from "./stage.ts";

const anthropic = providerOf("anthropic");
const ON = { CLAUDE_CODE_USE_FOUNDRY: "1" };

describe("the switch", () => {
  test.each(["1", "true", "yes", "on", "ON"])("ENV-056 ENV-057 %p leads to the gateway", (word) => {
    const environment = { CLAUDE_CODE_USE_FOUNDRY: word, FOUNDRY_BASE_URL: "https://gate.example" };
    expect(addressIn(environment)).toBe("https://gate.example");
  });

  test.each(["0", "", "no", undefined])("ENV-056 %p does not", (word) => {
    const environment = { CLAUDE_CODE_USE_FOUNDRY: word, FOUNDRY_BASE_URL: "https://gate.example" };
    expect(addressIn(environment)).toBe("https://api.anthropic.com");
  });

  test("ENV-057 without its address the model's own stays", () => {
    expect(addressIn(ON)).toBe("https://api.anthropic.com");
    const own = "https://own.example";
    expect(addressIn({ ...ON, ANTHROPIC_BASE_URL: own })).toBe(own);
  });
});

test("PROV-21 the gateway's key comes first and is a bearer; the others are sent as ever", async () => {
  await using server = await scriptedModel([turn(say("ok"))], { repeatLast: true });
  const keys = {
    ANTHROPIC_FOUNDRY_API_KEY: "foundry-key",
    ANTHROPIC_OAUTH_TOKEN: "sk-ant-oat-token",
    ANTHROPIC_API_KEY: "plain-key",
  };
  const headersWith = async (environment: Environment) => {
    const apiKey = keyEnvOf(anthropic, environment)
      .map((name) => environment[name])
      .find(Boolean);
    const address = { ...ON, FOUNDRY_BASE_URL: server.url };
    const model = modelOf(anthropic, "claude-sonnet-4-5", { ...address, ...environment });
    const { message } = await collect(ask(model, { apiKey }));
    expect(message.errorMessage).toBeUndefined();
    const { authorization, "x-api-key": key } = server.requests.at(-1)?.headers ?? {};
    return { authorization, key };
  };
  expect(await headersWith({ ...ON, ...keys })).toEqual({
    authorization: "Bearer foundry-key",
    key: undefined,
  });
  const { ANTHROPIC_FOUNDRY_API_KEY: _gone, ...usual } = keys;
  expect(await headersWith({ ...ON, ...usual })).toEqual({
    authorization: "Bearer sk-ant-oat-token",
    key: undefined,
  });
  const { ANTHROPIC_OAUTH_TOKEN: _also, ...last } = usual;
  expect(await headersWith({ ...ON, ...last })).toEqual({
    authorization: undefined,
    key: "plain-key",
  });
  expect(keyEnvOf(anthropic, keys)[0]).toBe("ANTHROPIC_OAUTH_TOKEN");
});

describe("headers", () => {
  const words = "x-team: blue, X-Trace: a,b ,x-url: https://a/?b=1,c\nx-last:z";
  const wanted = { "x-team": "blue", "x-trace": "a,b", "x-url": "https://a/?b=1,c", "x-last": "z" };
  const CUSTOM = { ANTHROPIC_CUSTOM_HEADERS: words };

  test("ENV-058 PROV-21 they go to a gateway, whichever way it was named", async () => {
    await using server = await scriptedModel([turn(say("ok"))], { repeatLast: true });
    const places = [
      { ...ON, FOUNDRY_BASE_URL: server.url },
      { ANTHROPIC_BASE_URL: server.url },
      { ...ON, ANTHROPIC_BASE_URL: server.url },
    ];
    for (const place of places) {
      const model = modelOf(anthropic, "claude-sonnet-4-5", { ...CUSTOM, ...place });
      await collect(ask(model));
      expect(server.requests.at(-1)?.headers).toMatchObject(wanted);
    }
    expect(server.requests).toHaveLength(places.length);
  });

  test("ENV-058 Anthropic itself gets them in gateway mode only", () => {
    const headersIn = (environment: Environment) =>
      modelOf(anthropic, "claude-sonnet-4-5", { ...CUSTOM, ...environment }).headers;
    expect(headersIn({})).toBeUndefined();
    expect(headersIn({ ANTHROPIC_BASE_URL: "https://eu.anthropic.com" })).toBeUndefined();
    expect(headersIn(ON)).toMatchObject({ "x-team": "blue" });
    expect(headersIn({ ANTHROPIC_BASE_URL: "https://anthropic.com.evil.example" })).toBeDefined();
  });

  test("other providers never get them", () => {
    const environment = { ...CUSTOM, ...ON, OPENAI_BASE_URL: "https://gate.example" };
    expect(modelOf(providerOf("openai"), "gpt-5", environment).headers).toBeUndefined();
  });
});

describe("certificates", () => {
  const authority = identity("test authority");
  const server = identity("localhost", authority);
  const client = identity("test client", authority);
  const names = anthropic.gateway!.tls;
  const all = {
    NODE_EXTRA_CA_CERTS: authority.cert,
    CLAUDE_CODE_CLIENT_CERT: client.cert,
    CLAUDE_CODE_CLIENT_KEY: client.key,
  };
  const readFile = async (path: string) => {
    const file = Bun.file(path);
    return (await file.exists()) ? file.text() : undefined;
  };

  test.each(["inline", "escaped", "paths"])(
    "ENV-059 PROV-21 a server that asks for a certificate gets it: %s",
    async (form) => {
      const folder = await mkdtemp(join(tmpdir(), "omp-tls-"));
      try {
        const pairs = Object.entries(all).map(async ([name, pem]) => {
          if (form !== "paths")
            return [name, form === "inline" ? pem : pem.replaceAll("\n", "\\n")];
          await Bun.write(join(folder, name), pem);
          return [name, join(folder, name)];
        });
        const environment = Object.fromEntries(await Promise.all(pairs)) as Environment;
        const ports = { environment: { ...ON, ...environment }, readFile, fetch };
        const gated = await gatewayFetch(anthropic, ports);
        expect(await answerThrough(gated!)).toBe("through the gate");
        expect(await gatewayFetch(anthropic, { ...ports, environment })).toBeUndefined();
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  test("without the client's certificate or the extra authority nobody gets in", async () => {
    const { NODE_EXTRA_CA_CERTS } = all;
    const stranger = await gatewayTls(names, { NODE_EXTRA_CA_CERTS }, readFile);
    expect(await answerThrough(withTls(fetch, stranger!))).toBeUndefined();
    const { NODE_EXTRA_CA_CERTS: _extra, ...pair } = all;
    const blind = await gatewayTls(names, pair, readFile);
    expect(await answerThrough(withTls(fetch, blind!))).toBeUndefined();
  });

  test("ENV-059 one of the pair alone is an error, so is a file that is not there", async () => {
    const { CLAUDE_CODE_CLIENT_CERT, CLAUDE_CODE_CLIENT_KEY } = all;
    for (const half of [{ CLAUDE_CODE_CLIENT_CERT }, { CLAUDE_CODE_CLIENT_KEY }]) {
      await expect(gatewayTls(names, half, readFile)).rejects.toMatchObject({
        message: "CLAUDE_CODE_CLIENT_CERT and CLAUDE_CODE_CLIENT_KEY must be set together",
      });
    }
    const lost = gatewayTls(names, { NODE_EXTRA_CA_CERTS: "/nowhere.pem" }, readFile);
    await expect(lost).rejects.toMatchObject({ message: expect.stringContaining("/nowhere.pem") });
    expect(await gatewayTls(names, {}, readFile)).toBeUndefined();
  });

  /** The answer of a scripted model behind a server that wants to know who is asking. */
  async function answerThrough(fetchWithTls: FetchLike): Promise<string | undefined> {
    await using behind = await scriptedModel([turn(say("through the gate"))]);
    await using gate = Bun.serve({
      port: 0,
      tls: {
        cert: server.cert,
        key: server.key,
        ca: authority.cert,
        requestCert: true,
        rejectUnauthorized: true,
      },
      fetch: (request) =>
        fetch(behind.url + new URL(request.url).pathname, {
          method: request.method,
          headers: request.headers,
          body: request.body,
        }),
    });
    const environment = { ...ON, FOUNDRY_BASE_URL: `https://127.0.0.1:${gate.port}` };
    const model = modelOf(anthropic, "claude-sonnet-4-5", environment);
    const { message } = await collect(ask(model, { fetch: fetchWithTls }));
    const [block] = message.content;
    return block?.type === "text" ? block.text : undefined;
  }
});

function addressIn(environment: Environment): string {
  return modelOf(anthropic, "claude-sonnet-4-5", environment).baseUrl;
}
