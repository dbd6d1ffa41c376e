/** The scripted model over real sockets: what it plays, what it records, how it breaks. */

import { describe, expect, test } from "bun:test";
import { callTool, fail, say, scriptedModel, think, turn, type ScriptedModel } from "./index.ts";
import { rawExchange, rawPost } from "./raw-http.ts";

describe("script", () => {
  test("turns are played in order and every request is recorded", async () => {
    await using model = await scriptedModel([turn(say("one")), turn(say("two"))]);
    const first = await (await ask(model)).text();
    const second = await (await ask(model)).text();
    expect([first.includes('"one"'), second.includes('"two"')]).toEqual([true, true]);
    const [request] = model.requests;
    expect(request).toMatchObject({
      wire: "anthropic-messages",
      method: "POST",
      path: "/v1/messages",
      body: BODY,
      turnIndex: 0,
      refusal: undefined,
    });
    expect(request?.headers["x-api-key"]).toBe("test-anthropic-key-0001");
    expect(model.requests.map(({ turnIndex }) => turnIndex)).toEqual([0, 1]);
    expect(await request?.ended).toBe("answered");
  });

  test("a turn may be a function of the request", async () => {
    await using model = await scriptedModel([
      ({ body }) => turn(say(`you sent ${JSON.stringify(body).length} characters`)),
    ]);
    expect(await (await ask(model)).text()).toContain(`you sent ${JSON.stringify(BODY).length}`);
  });

  test("a function that throws is a failure with its message", async () => {
    await using model = await scriptedModel([
      () => {
        throw new Error("boom in the script");
      },
    ]);
    const response = await ask(model);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain("boom in the script");
  });

  test("a script that has run out says so and records the request", async () => {
    await using model = await scriptedModel([turn(say("only"))]);
    await (await ask(model)).text();
    const response = await ask(model);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: { type: "api_error", message: "The script has 1 turns; this is request 2" },
    });
    expect(model.requests[1]?.refusal?.status).toBe(500);
  });

  test("repeatLast plays the last turn again, with ids of its own", async () => {
    await using model = await scriptedModel([turn(callTool("read", {}))], { repeatLast: true });
    const answers = [await (await ask(model)).text(), await (await ask(model)).text()];
    const ids = answers.map((text) => /"id":"(toolu_[^"]+)"/.exec(text)?.[1]);
    expect(ids).toEqual(["toolu_0000_0", "toolu_0001_0"]);
  });

  test("a failure has status, headers and the vendor's error body", async () => {
    await using model = await scriptedModel([
      fail(429, { message: "slow down", headers: { "Retry-After": "3" } }),
      fail(503, { body: "<html>bad gateway</html>", headers: { "content-type": "text/html" } }),
    ]);
    const limited = await ask(model);
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await limited.json()).toEqual({
      type: "error",
      error: { type: "rate_limit_error", message: "slow down" },
    });
    const broken = await ask(model);
    expect([broken.status, broken.headers.get("content-type")]).toEqual([503, "text/html"]);
    expect(await broken.text()).toBe("<html>bad gateway</html>");
  });

  test("an unknown path is 404 and takes no turn", async () => {
    await using model = await scriptedModel([turn(say("kept"))]);
    expect((await fetch(`${model.url}/v1/models`)).status).toBe(404);
    expect(model.requests[0]).toMatchObject({ wire: undefined, turnIndex: undefined });
    expect(await (await ask(model)).text()).toContain("kept");
  });

  test("bytes that are not HTTP are answered with 400", async () => {
    await using model = await scriptedModel([]);
    const { head } = await rawExchange(model.url, "hello there\r\n\r\n");
    expect(head).toStartWith("HTTP/1.1 400 ");
  });

  test("a request in many small pieces, chunked, is read whole", async () => {
    await using model = await scriptedModel([turn(say("read"))]);
    const json = JSON.stringify(BODY);
    const halves = [json.slice(0, 10), json.slice(10)];
    const chunks = halves.map((half) => `${half.length.toString(16)}\r\n${half}\r\n`).join("");
    const head = `POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\nanthropic-version: 2023-06-01\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`;
    const { body, isWhole } = await rawExchange(model.url, `${head}${chunks}0\r\n\r\n`, 7);
    expect(isWhole).toBe(true);
    expect(body.toString()).toContain("message_stop");
    expect(model.requests[0]?.body).toEqual(BODY);
  });
});

describe("timing and pieces", () => {
  test("delayMs comes before the first byte, betweenMs between the events", async () => {
    await using model = await scriptedModel([turn(say("a")).with({ delayMs: 60, betweenMs: 10 })]);
    const start = performance.now();
    const response = await ask(model);
    expect(performance.now() - start).toBeGreaterThanOrEqual(55);
    const text = await response.text();
    const gaps = text.split("\n\n").length - 2;
    expect(performance.now() - start).toBeGreaterThanOrEqual(55 + gaps * 9);
  });

  test("chunkBytes changes the pieces and not the bytes", async () => {
    const answer = turn(think("hm"), say("grüße 🎉"), callTool("read", { path: "ä" }));
    const [whole, pieces] = await Promise.all([
      bytesOf(answer),
      bytesOf(answer.with({ chunkBytes: 3 })),
    ]);
    expect(pieces).toEqual(whole);
  });

  test("chunks on the wire are as small as chunkBytes says", async () => {
    await using model = await scriptedModel([turn(say("abc")).with({ chunkBytes: 5 })]);
    const { chunks } = await rawExchange(model.url, rawRequest());
    expect(Math.max(...chunks)).toBe(5);
  });

  test("several MB to a slow reader arrive whole", async () => {
    const text = "0123456789".repeat(400_000);
    await using model = await scriptedModel([turn(say(text)).with({ textPiece: 100_000 })]);
    const response = await ask(model);
    await Bun.sleep(50);
    const deltas = [...(await response.text()).matchAll(/"text_delta","text":"(\d+)"/g)];
    expect(deltas.map(([, delta]) => delta).join("") === text).toBe(true);
  });
});

describe("faults", () => {
  const answer = turn(say("a text that is long enough to be cut somewhere in the middle"));

  test("cut closes the connection after exactly that many bytes of the body", async () => {
    const whole = await bytesOf(answer);
    await using model = await scriptedModel([answer.with({ fault: { kind: "cut", atByte: 100 } })]);
    const { body, isWhole, error } = await rawExchange(model.url, rawRequest());
    expect({ isWhole, error }).toEqual({ isWhole: false, error: undefined });
    expect(body).toEqual(whole.subarray(0, 100));
    expect(await model.requests[0]?.ended).toBe("faulted");
  });

  test("early-end is a whole HTTP body with half a stream in it", async () => {
    await using model = await scriptedModel([
      answer.with({ fault: { kind: "early-end", atByte: 100 } }),
    ]);
    expect((await (await ask(model)).text()).length).toBe(100);
  });

  test("reset breaks the connection with RST", async () => {
    await using model = await scriptedModel([
      answer.with({ fault: { kind: "reset", atByte: 100 } }),
    ]);
    const { error } = await rawExchange(model.url, rawRequest());
    expect(error).toBe("ECONNRESET");
  });

  test("garbage takes the place of the rest", async () => {
    const whole = await bytesOf(answer);
    const bytes = await bytesOf(answer.with({ fault: { kind: "garbage", atByte: 90 } }));
    expect(bytes.subarray(0, 90)).toEqual(whole.subarray(0, 90));
    expect(bytes.subarray(90, 93)).toEqual(Buffer.from([0xff, 0xfe, 0x00]));
    expect(bytes.toString()).toEndWith('data: {"broken\n\n');
  });

  test("silence keeps the connection open until the client goes", async () => {
    await using model = await scriptedModel([
      answer.with({ fault: { kind: "silence", atByte: 50 } }),
    ]);
    const abort = new AbortController();
    const response = await ask(model, { signal: abort.signal });
    const reader = response.body!.getReader();
    expect((await reader.read()).value?.length).toBeGreaterThan(0);
    const next = reader.read().catch((error: Error) => error.name);
    expect(await Promise.race([next, Bun.sleep(30).then(() => "silent")])).toBe("silent");
    expect(model.openConnections).toBe(1);
    abort.abort();
    expect(await next).toBe("AbortError");
    const request = await model.waitForClosedByClient(1);
    expect(await request.ended).toBe("closed-by-client");
    expect(model.openConnections).toBe(0);
  });

  test("an in-band error takes the place of the end", async () => {
    const fault = {
      kind: "in-band-error",
      type: "overloaded_error",
      message: "Overloaded",
    } as const;
    const text = (await bytesOf(answer.with({ fault }))).toString();
    expect(text).toEndWith(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    );
    expect(text).not.toContain("message_stop");
    const early = (await bytesOf(answer.with({ fault: { ...fault, afterFrames: 1 } }))).toString();
    expect(early.match(/^event: .*/gm)).toEqual(["event: message_start", "event: error"]);
  });

  test("a client that aborts between events is seen", async () => {
    await using model = await scriptedModel([turn(say("a ".repeat(500))).with({ betweenMs: 20 })]);
    const abort = new AbortController();
    const response = await ask(model, { signal: abort.signal });
    await response.body!.getReader().read();
    abort.abort();
    expect((await model.waitForClosedByClient(1)).turnIndex).toBe(0);
  });

  test("a client that closes after the whole answer is not counted as giving up", async () => {
    await using model = await scriptedModel([turn(say("done"))]);
    await rawExchange(model.url, rawRequest());
    expect(await model.requests[0]?.ended).toBe("answered");
    expect(model.closedByClient).toEqual([]);
  });
});

describe("life", () => {
  test("waitForRequest resolves when the request comes and says what it saw when none does", async () => {
    await using model = await scriptedModel([turn(say("hi"))]);
    const waiting = model.waitForRequest(1);
    await (await ask(model)).text();
    expect((await waiting).turnIndex).toBe(0);
    await expect(model.waitForRequest(2, 20)).rejects.toThrow("waited 20 ms for request 2, saw 1");
  });

  test("dispose ends a silent answer and frees the port", async () => {
    const model = await scriptedModel([
      turn(say("x")).with({ fault: { kind: "silence", atByte: 0 } }),
    ]);
    const response = await ask(model);
    const body = response.text().catch(() => "broken");
    await model[Symbol.asyncDispose]();
    expect(await body).toBe("broken");
    expect(await model.requests[0]?.ended).toBe("disposed");
    await expect(fetch(model.url)).rejects.toThrow();
  });

  test("the environment points programs at this server", async () => {
    await using model = await scriptedModel([]);
    expect(model.environment()).toEqual({
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "test-anthropic-key-0001",
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: "test-openai-key-0001",
    });
  });
});

const BODY = {
  model: "claude-test",
  max_tokens: 100,
  stream: true,
  messages: [{ role: "user", content: "hello" }],
};

const HEADERS = {
  "content-type": "application/json",
  "x-api-key": "test-anthropic-key-0001",
  "anthropic-version": "2023-06-01",
};

function ask(model: ScriptedModel, init: RequestInit = {}): Promise<Response> {
  const body = JSON.stringify(BODY);
  return fetch(`${model.url}/v1/messages`, { method: "POST", headers: HEADERS, body, ...init });
}

async function bytesOf(answer: ReturnType<typeof turn>): Promise<Buffer> {
  await using model = await scriptedModel([answer]);
  return Buffer.from(await (await ask(model)).arrayBuffer());
}

function rawRequest(): string {
  return rawPost("/v1/messages", HEADERS, JSON.stringify(BODY));
}
