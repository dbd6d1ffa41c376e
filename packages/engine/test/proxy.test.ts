/** Requests of Bedrock and of its single sign-on by way of the proxy that the environment names. */

import { say, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { stage, type Stage } from "./stage.ts";

interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** The first line of each request. */
  readonly seen: readonly string[];
}

/** Takes requests for any host and asks the given server; it opens no tunnels. */
async function proxyTo(target: (host: string) => string): Promise<Proxy> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} HTTP/${request.httpVersion}`);
    const asked = new URL(request.url ?? "");
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { host: _host, "content-length": _length, ...headers } = request.headers;
      const body = request.method === "GET" ? undefined : Buffer.concat(pieces);
      const url = target(asked.hostname) + asked.pathname + asked.search;
      const method = request.method ?? "GET";
      void fetch(url, {
        method,
        headers: headers as Record<string, string>,
        body,
        proxy: false,
      }).then(async (answer) => {
        response.writeHead(answer.status, { "content-type": answer.headers.get("content-type")! });
        response.end(await answer.bytes());
      });
    });
  });
  server.on("connect", ({ url }, socket) => {
    seen.push(`CONNECT ${url}`);
    socket.end("HTTP/1.1 502 No tunnels\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const KEYS = { AWS_ACCESS_KEY_ID: "PAIR", AWS_SECRET_ACCESS_KEY: "s" };
const RUNTIME = { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: "http://bedrock.test.invalid" };
const NO_RETRY = "retry: { enabled: false }\n";

async function ask(set: Stage, env: Readonly<Record<string, string>>) {
  const names = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "HOUSE_KEY"];
  const none = Object.fromEntries(names.map((name) => [name, undefined]));
  await using omp = await set.boot({
    env: { ...none, ...env },
    model: { provider: "amazon-bedrock" },
    config: NO_RETRY,
  });
  return await omp.prompt("go");
}

describe("ENV-066", () => {
  const NAMES = ["HTTP_PROXY", "ALL_PROXY", "http_proxy"] as const;
  test.each(NAMES)("ENV-066 %s takes requests of Bedrock, over HTTP/1", async (name) => {
    await using set = await stage([turn(say("through"))]);
    await using proxy = await proxyTo(() => set.model.url);
    const result = await ask(set, { ...KEYS, ...RUNTIME, [name]: proxy.url });
    expect(result).toMatchObject({ stopReason: "stop", text: "through" });
    expect(proxy.seen).toHaveLength(1);
    expect(proxy.seen[0]).toMatch(
      /^POST http:\/\/bedrock\.test\.invalid\/model\/.+\/converse-stream HTTP\/1\.1$/,
    );
  });

  test("ENV-066 HTTPS_PROXY is asked for a tunnel", async () => {
    await using set = await stage([]);
    await using proxy = await proxyTo(() => set.model.url);
    const host = "bedrock-runtime.eu-test-1.amazonaws.com";
    const env = { ...KEYS, AWS_REGION: "eu-test-1", HTTPS_PROXY: proxy.url };
    expect((await ask(set, env)).stopReason).toBe("error");
    expect(proxy.seen).toEqual([`CONNECT ${host}:443`]);
  });

  const EXCLUDED = ["127.0.0.1", "other.invalid, 127.0.0.1:PORT", "*"] as const;
  test.each(EXCLUDED)("ENV-066 what NO_PROXY=%s names is asked directly", async (entry) => {
    await using set = await stage([turn(say("direct"))]);
    await using proxy = await proxyTo(() => set.model.url);
    const env = {
      ...KEYS,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: set.model.url,
      HTTP_PROXY: proxy.url,
      NO_PROXY: entry.replace("PORT", new URL(set.model.url).port),
    };
    expect((await ask(set, env)).text).toBe("direct");
    expect(proxy.seen).toEqual([]);
  });

  test("ENV-066 another port, another name: through the proxy", async () => {
    await using set = await stage([turn(say("through"))]);
    await using proxy = await proxyTo(() => set.model.url);
    const NO_PROXY = "127.0.0.1:1,invalid.test,rock.test.invalid,.com";
    const result = await ask(set, { ...KEYS, ...RUNTIME, HTTP_PROXY: proxy.url, NO_PROXY });
    expect(result.text).toBe("through");
    expect(proxy.seen).toHaveLength(1);
  });

  test("ENV-066 the single sign-on goes the same way", async () => {
    await using set = await stage([turn(say("signed"))]);
    const roleCredentials = { accessKeyId: "SSO", secretAccessKey: "s", expiration: 4e12 };
    await using portal = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => Response.json({ roleCredentials }),
    });
    const isPortal = (host: string) => host.startsWith("portal.");
    await using proxy = await proxyTo((host) =>
      isPortal(host) ? portal.url.origin : set.model.url,
    );
    const start = "https://start.example";
    await set.place.write(
      "../home/.aws/config",
      `[profile sso]\nsso_start_url = ${start}\nsso_region = eu-west-1\nsso_account_id = 42\nsso_role_name = dev\n`,
    );
    const name = new Bun.CryptoHasher("sha1").update(start).digest("hex");
    const login = { accessToken: "sso-token", expiresAt: "2099-01-01T00:00:00Z" };
    await set.place.write(`../home/.aws/sso/cache/${name}.json`, JSON.stringify(login));
    const result = await ask(set, {
      ...RUNTIME,
      AWS_PROFILE: "sso",
      AWS_ENDPOINT_URL_SSO: "http://portal.test.invalid",
      HTTP_PROXY: proxy.url,
    });
    expect(result.text).toBe("signed");
    expect(proxy.seen.map((line) => line.split(/[/?]/)[2])).toEqual([
      "portal.test.invalid",
      "bedrock.test.invalid",
    ]);
    const { authorization } = set.model.requests[0]!.headers;
    expect(authorization).toContain("Credential=SSO/");
  });
});
