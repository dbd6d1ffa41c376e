/** Amazon Bedrock Converse: requests field by field, ways to prove who asks, and the vendor's events. */

import { systemClock } from "@omp/std";
import { callTool, fail, say, think, thinkHidden, turn, type ScriptedModel } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { withTls } from "../src/auth/gateway-tls.ts";
import { modelOf, type Environment } from "../src/index.ts";
import type { AwsPorts } from "../src/auth/aws-ports.ts";
import { resolveBedrockRegion } from "../src/auth/bedrock-place.ts";
import { createBedrockSigner } from "../src/auth/bedrock-signer.ts";
import type { AssistantMessage, Message, Model, ModelRequest } from "../src/schema/index.ts";
import { identity } from "./certificates.ts";
import { collect } from "./grammar.ts";
import { ask, KEY, requestTo, send, stage, TOOLS, user } from "./stage.ts";
import { bedrockAtTest } from "./subjects.ts";
import { verifiedSignature } from "./sigv4.ts";

const KEYS = { AWS_ACCESS_KEY_ID: "AKIATEST", AWS_SECRET_ACCESS_KEY: "a secret of AWS" };
const BETA = "interleaved-thinking-2025-05-14";
const CACHE_POINT = { cachePoint: { type: "default" } };

describe("bedrock proofs", () => {
  test("PROV-29 a bearer token comes first; else the request is signed for its region", async () => {
    await using scene = await stage(bedrockAtTest, [turn(say("one")), turn(say("two"))]);
    const environment = { ...KEYS, AWS_SESSION_TOKEN: "session", AWS_REGION: "eu-west-3" };
    const sign = signerIn(environment);
    await collect(ask(scene.model, { apiKey: "bearer-words", sign }));
    const [bearer] = scene.server.requests;
    expect(bearer?.path).toBe(
      "/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream",
    );
    expect(bearer?.headers["authorization"]).toBe("Bearer bearer-words");
    expect(bearer?.headers).not.toHaveProperty("x-amz-date");

    const { message } = await collect(ask(scene.model, { apiKey: undefined, sign }));
    expect(message.content).toEqual([{ type: "text", text: "two" }]);
    expect(message.responseId).toBe("req_00000001");
    const signed = scene.server.requests[1];
    expect(signed?.headers["x-amz-security-token"]).toBe("session");
    expect(isSigned(scene.server, 1, KEYS.AWS_SECRET_ACCESS_KEY, "eu-west-3")).toBe(true);
    expect(isSigned(scene.server, 1, "another secret", "eu-west-3")).toBe(false);
  });

  test("PROV-29 dummy credentials reach a proxy; without any the call fails and names them", async () => {
    await using scene = await stage(bedrockAtTest, [turn(say("ok"))]);
    const skipping = signerIn({ AWS_BEDROCK_SKIP_AUTH: "1", AWS_EC2_METADATA_DISABLED: "true" });
    const through = await collect(ask(scene.model, { apiKey: undefined, sign: skipping }));
    expect(through.final.reason).toBe("stop");
    const empty = signerIn({ AWS_EC2_METADATA_DISABLED: "true" });
    const { final, message } = await collect(ask(scene.model, { apiKey: undefined, sign: empty }));
    expect(final).toMatchObject({ fault: { kind: "auth", reason: "missing" } });
    expect(message.errorMessage).toContain("AWS_PROFILE");
    expect(scene.server.requests).toHaveLength(1);
  });

  test.each([
    [{ AWS_REGION: "eu-west-1", AWS_DEFAULT_REGION: "x" }, "eu-west-1"],
    [{ AWS_DEFAULT_REGION: "ap-south-1" }, "ap-south-1"],
    [{}, "us-east-1"],
  ])("PROV-29 with %j requests go to %s", (environment, region) => {
    const { baseUrl } = modelOf(bedrockAtTest, "amazon.nova-pro-v1:0", environment);
    expect(baseUrl).toBe(`https://bedrock-runtime.${region}.amazonaws.com`);
  });

  test("the region of a model's own host is the one that is signed", async () => {
    const sign = signerIn({ ...KEYS, AWS_REGION: "us-east-1" });
    const url = "https://bedrock-runtime.eu-central-1.amazonaws.com/model/m/converse-stream";
    const headers = await sign({ url, headers: {}, body: "{}" }, new AbortController().signal);
    expect(headers["authorization"]).toContain("/eu-central-1/bedrock/aws4_request");
  });

  test("PROV-29 proxies of the environment carry the request, except to hosts that are excluded", async () => {
    await using scene = await stage(bedrockAtTest, [turn(say("a")), turn(say("b"))]);
    const seen: string[] = [];
    const proxy = createServer(async (request, response) => {
      const { url = "", httpVersion, headers } = request;
      seen.push(`${httpVersion} ${url}`);
      const answer = await fetch(url, {
        method: "POST",
        headers: { authorization: headers.authorization ?? "" },
        body: Buffer.concat(await Array.fromAsync(request)),
        proxy: false,
      });
      response.writeHead(answer.status, { "content-type": "application/x" });
      response.end(await answer.bytes());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as AddressInfo;
    try {
      process.env["HTTP_PROXY"] = `http://127.0.0.1:${port}`;
      const carried = await collect(ask(scene.model));
      expect(carried.message.content).toEqual([{ type: "text", text: "a" }]);
      process.env["NO_PROXY"] = "127.0.0.1";
      const direct = await collect(ask(scene.model));
      expect(direct.message.content).toEqual([{ type: "text", text: "b" }]);
    } finally {
      delete process.env["HTTP_PROXY"];
      delete process.env["NO_PROXY"];
      proxy.closeAllConnections();
      proxy.close();
    }
    expect(seen).toEqual([expect.stringMatching(/^1\.1 http:\/\/127\.0\.0\.1:\d+\/model\//)]);
  });

  test("PROV-29 a server that offers HTTP/2 is spoken to in HTTP/1.1", async () => {
    const authority = identity("authority");
    const { cert, key } = identity("localhost", authority);
    const versions: string[] = [];
    const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      response.writeHead(500, { "content-type": "application/json" });
      response.end('{"message":"seen"}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const environment = { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: `https://127.0.0.1:${port}` };
      const model = modelOf(bedrockAtTest, "m", environment);
      const { message } = await collect(
        ask(model, { fetch: withTls(fetch, { ca: [authority.cert] }) }),
      );
      expect(message.errorMessage).toContain("seen");
    } finally {
      server.close();
    }
    expect(versions).toEqual(["1.1"]);
  });
});

describe("bedrock requests", () => {
  test("limits, tools, cache points and a whole conversation", async () => {
    await using scene = await stage(bedrockAtTest, [turn(say("ok"))]);
    const image = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/jpg" };
    const history: Message[] = [
      user("hi"),
      assistant(scene.model, [
        { type: "thinking", thinking: "deep", thinkingSignature: "sig" },
        { type: "thinking", thinking: "", thinkingSignature: "c2VjcmV0", redacted: true },
        { type: "text", text: "so" },
        { type: "toolCall", id: "a", name: "read", arguments: { path: "x" } },
        { type: "toolCall", id: "b", name: "bash", arguments: {} },
      ]),
      result("a", [{ type: "text", text: "seen" }, image]),
      { ...result("b", []), isError: true },
      { role: "developer", content: "Mind the gap.", timestamp: 3 },
    ];
    await collect(ask(scene.model, {}, history));
    expect(bodyOf(scene.server)).toEqual({
      system: [{ text: "You are a test." }, CACHE_POINT],
      inferenceConfig: { maxTokens: 64_000 },
      toolConfig: {
        tools: [
          ...TOOLS.map(({ name, description, parameters }) => ({
            toolSpec: { name, description, inputSchema: { json: parameters } },
          })),
          CACHE_POINT,
        ],
      },
      messages: [
        { role: "user", content: [{ text: "hi" }, CACHE_POINT] },
        {
          role: "assistant",
          content: [
            { reasoningContent: { reasoningText: { text: "deep", signature: "sig" } } },
            { reasoningContent: { redactedContent: "c2VjcmV0" } },
            { text: "so" },
            { toolUse: { toolUseId: "a", name: "read", input: { path: "x" } } },
            { toolUse: { toolUseId: "b", name: "bash", input: {} } },
          ],
        },
        {
          role: "user",
          content: [
            {
              toolResult: {
                toolUseId: "a",
                status: "success",
                content: [
                  { text: "seen" },
                  { image: { format: "jpeg", source: { bytes: image.data } } },
                ],
              },
            },
            {
              toolResult: { toolUseId: "b", status: "error", content: [{ text: "(no output)" }] },
            },
            { text: "<system-reminder>\nMind the gap.\n</system-reminder>" },
            CACHE_POINT,
          ],
        },
      ],
    });
  });

  test.each([
    ["high", { thinking: { type: "enabled", budget_tokens: 16_384 }, anthropic_beta: [BETA] }],
    ["off", undefined],
  ] as const)("a Claude that takes a budget, at %s", async (thinking, expected) => {
    const body = await sent({ thinking });
    expect(body["additionalModelRequestFields"]).toEqual(expected);
  });

  test("an adaptive Claude, a long cache, a forced tool", async () => {
    const id = "global.anthropic.claude-opus-4-7";
    const adaptive = await sent({ thinking: "medium", cacheRetention: "long" }, { id });
    expect(adaptive["additionalModelRequestFields"]).toEqual({
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "medium" },
    });
    expect(adaptive["system"]).toContainEqual({ cachePoint: { type: "default", ttl: "1h" } });
    const forced = await sent({ thinking: "medium", toolChoice: { name: "read" } });
    expect(forced).not.toHaveProperty("additionalModelRequestFields");
    expect(forced["toolConfig"]).toMatchObject({ toolChoice: { tool: { name: "read" } } });
    const any = await sent({ toolChoice: "required" });
    expect(any["toolConfig"]).toMatchObject({ toolChoice: { any: {} } });
  });

  test.each([
    ["amazon.nova-pro-v1:0", "Nova Pro", 2],
    ["meta.llama3-3-70b-instruct-v1:0", "Llama 3.3", 0],
    ["anthropic.claude-3-haiku-20240307-v1:0", "Claude 3 Haiku", 0],
    ["arn:aws:bedrock:eu-west-1:1:application-inference-profile/abc", "Claude Sonnet 4.5", 3],
  ])("%s has its cache points, and no fields it does not know", async (id, name, points) => {
    const body = await sent({ thinking: "off" }, { id, name });
    expect(JSON.stringify(body).split("cachePoint").length - 1).toBe(points);
    expect(body).not.toHaveProperty("additionalModelRequestFields");
  });

  test("a profile's whole name is one part of the path", async () => {
    await using scene = await stage(bedrockAtTest, [turn(say("ok"))]);
    const id = "arn:aws:bedrock:eu-west-1:1:application-inference-profile/abc";
    await collect(ask({ ...scene.model, wireId: id }));
    expect(scene.server.requests[0]?.path).toBe(`/model/${encodeURIComponent(id)}/converse-stream`);
  });

  test("a history with calls brings tools though none are offered", async () => {
    const model = modelOf(bedrockAtTest, bedrockAtTest.models[0]!.id, {});
    const calls = assistant(model, [{ type: "toolCall", id: "a", name: "read", arguments: {} }]);
    const messages = [user("hi"), calls, result("a", [{ type: "text", text: "x" }])];
    const body = await sent({ tools: [], messages });
    expect(body["toolConfig"]).toMatchObject({ tools: [{ toolSpec: { name: "read" } }] });
  });
});

describe("bedrock answers", () => {
  test("thoughts keep their signature, hidden ones too", async () => {
    const usage = { input: 11, output: 22, cacheRead: 33, cacheWrite: 44 };
    await using scene = await stage(bedrockAtTest, [
      turn(think("hm", "sig-1"), thinkHidden("c2VjcmV0"), callTool("read", {}, "t1")).with({
        usage,
      }),
    ]);
    const { message } = await collect(ask(scene.model));
    expect(message.content).toEqual([
      { type: "thinking", thinking: "hm", thinkingSignature: "sig-1" },
      { type: "thinking", thinking: "", thinkingSignature: "c2VjcmV0", redacted: true },
      { type: "toolCall", id: "t1", name: "read", arguments: {} },
    ]);
    expect(message.usage).toMatchObject({ ...usage, totalTokens: 110 });
  });

  test.each([
    ["throttlingException", "rate-limit"],
    ["serviceUnavailableException", "overloaded"],
    ["internalServerException", "overloaded"],
    ["modelStreamErrorException", "overloaded"],
    ["validationException", "invalid-request"],
    ["somethingNewException", "overloaded"],
  ] as const)("%s in the stream is %s", async (type, kind) => {
    const fault = { kind: "in-band-error", type, message: "so it is" } as const;
    await using scene = await stage(bedrockAtTest, [turn(say("half")).with({ fault })]);
    const { final, message } = await collect(ask(scene.model));
    expect(final).toMatchObject({ fault: { kind } });
    expect(message.errorMessage).toBe(`${type}: so it is`);
    expect(message.content).toMatchObject([{ text: "half" }]);
  });

  test.each([
    [400, "ValidationException", "Input is too long for requested model.", "context-overflow"],
    [400, "ValidationException", "The text field is blank.", "invalid-request"],
    [403, "ExpiredTokenException", "The security token is expired", "auth"],
    [424, "ModelErrorException", "The model failed", "overloaded"],
    [429, "ThrottlingException", "Too many tokens", "rate-limit"],
    [503, "ServiceUnavailableException", "Busy", "overloaded"],
  ] as const)("status %d %s (%s) is %s", async (status, type, message, kind) => {
    const headers = { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/` };
    await using scene = await stage(bedrockAtTest, [
      fail(status, { headers, body: { Message: message } }),
    ]);
    const { final } = await collect(ask(scene.model));
    expect(final).toMatchObject({ fault: { kind } });
    expect(final.message.errorMessage).toContain(`${type}: ${message}`);
  });
});

function signerIn(environment: Environment) {
  const ports: AwsPorts = {
    environment,
    readFile: async () => undefined,
    fetch,
    clock: systemClock,
    run: async () => ({ exitCode: 1, stdout: "" }),
    region: resolveBedrockRegion(environment),
  };
  return createBedrockSigner(ports);
}

function isSigned(server: ScriptedModel, index: number, secret: string, region: string): boolean {
  const { method, path, headers, body } = server.requests[index]!;
  const request = {
    method,
    url: server.url + path,
    headers: { get: (name: string) => headers[name] ?? null },
  };
  return verifiedSignature(request, JSON.stringify(body), secret, region, "bedrock");
}

/** What the vendor gets for a request; its rules have accepted it. */
async function sent(
  change: Partial<ModelRequest>,
  facts: Partial<Model> = {},
): Promise<Record<string, unknown>> {
  await using scene = await stage(bedrockAtTest, [turn(say("ok"))]);
  const model = { ...scene.model, ...facts };
  const { message } = await collect(send({ ...requestTo(model), ...change }, { apiKey: KEY }));
  expect(message.errorMessage).toBeUndefined();
  return bodyOf(scene.server);
}

function bodyOf(server: ScriptedModel): Record<string, unknown> {
  return server.requests[0]?.body as Record<string, unknown>;
}

function assistant(model: Model, content: AssistantMessage["content"]): AssistantMessage {
  const { provider, api, id } = model;
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const usage = { ...none, totalTokens: 0, cost: { ...none, total: 0 } };
  const stopReason = "stop";
  return { role: "assistant", content, provider, api, model: id, usage, stopReason, timestamp: 2 };
}

function result(
  toolCallId: string,
  content: Extract<Message, { role: "toolResult" }>["content"],
): Extract<Message, { role: "toolResult" }> {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content,
    isError: false,
    timestamp: 2,
  };
}
