/** Statuses, types and texts of failures, as tables. */

import { describe, expect, test } from "bun:test";
import { excerpt, responseFailure, streamFailure } from "./failure.ts";

function failed(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return responseFailure({ status, headers: new Headers(headers), text, now: 0 });
}

describe("faults", () => {
  test.each([
    [429, "rate-limit"],
    [401, "auth"],
    [403, "auth"],
    [500, "overloaded"],
    [502, "overloaded"],
    [503, "overloaded"],
    [504, "overloaded"],
    [529, "overloaded"],
    [400, "invalid-request"],
    [404, "invalid-request"],
    [422, "invalid-request"],
    [408, "network"],
    [413, "context-overflow"],
    [200, "malformed"],
  ] as const)("status %d is %s", (status, kind) => {
    const error = failed(status, { error: { message: "words" } });
    expect(error.fault.kind).toBe(kind);
    expect(error.status).toBe(status);
    expect(error.message).toContain("words");
  });

  const OVERFLOWS = [
    ["Anthropic", "prompt is too long: 213462 tokens > 200000 maximum"],
    ["Anthropic", "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000"],
    [
      "OpenAI",
      "This model's maximum context length is 128000 tokens. However, you requested 130000",
    ],
    ["OpenAI", "Your input exceeds the context window of this model. Please adjust your input."],
    [
      "Google",
      "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)",
    ],
    ["Bedrock", "Input is too long for requested model."],
    ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    ["Groq", "Please reduce the length of the messages or completion"],
    ["Copilot", "prompt token count of 140000 exceeds the limit of 128000"],
    [
      "llama.cpp",
      "the request exceeds the available context size. try increasing the context size",
    ],
    ["LM Studio", "tokens to keep from the initial prompt is greater than the context length"],
    ["MiniMax", "invalid params, context window exceeds limit"],
    ["Kimi", "Invalid request: Your request exceeded model token limit: 262144"],
    ["Z.ai", "The model stopped: model_context_window_exceeded"],
    [
      "Mistral",
      "Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length",
    ],
    ["Hugging Face", "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 and 20"],
    [
      "Cerebras",
      "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
    ],
    ["Ollama", "prompt too long; exceeded max context length by 12 tokens"],
    [
      "Alibaba",
      "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
    ],
    ["Qianfan", "prompt tokens too long"],
    ["Fireworks", "The prompt (length 140000) exceeds the maximum"],
    ["SGLang", "The input (9000 tokens) is longer than the model's context length (8192 tokens)."],
    ["a gateway", "upstream said: context_length_exceeded"],
  ] as const;

  test("STRM-24 overflow texts are overflow at every host, and never with status 429", () => {
    for (const [, message] of OVERFLOWS) {
      expect(failed(400, { error: { message } }).fault.kind).toBe("context-overflow");
      expect(streamFailure({ type: "invalid_request_error", message }).fault.kind).toBe(
        "context-overflow",
      );
      expect(failed(429, { error: { message } }).fault.kind).toBe("rate-limit");
    }
    const code = { code: "context_length_exceeded", message: "too much" };
    expect(failed(400, { error: code }).fault.kind).toBe("context-overflow");
    expect(failed(400, { error: { message: "Too many tokens, please wait" } }).fault.kind).toBe(
      "invalid-request",
    );
  });

  const CORPUS = [
    ["OpenAI", 429, { code: "rate_limit_exceeded", message: "Rate limit reached" }, "rate-limit"],
    ["OpenAI", 401, { code: "invalid_api_key", message: "Incorrect API key" }, "auth"],
    ["OpenAI", 500, { type: "server_error", message: "The server had an error" }, "overloaded"],
    ["Anthropic", 529, { type: "overloaded_error", message: "Overloaded" }, "overloaded"],
    ["Google", 503, { status: "UNAVAILABLE", message: "The model is overloaded" }, "overloaded"],
    ["OpenRouter", 502, { code: 502, message: "Provider returned error" }, "overloaded"],
    ["Groq", 413, { message: "Request too large for model" }, "context-overflow"],
    ["xAI", 400, { message: "Invalid arguments passed to the model" }, "invalid-request"],
    ["any", 403, { message: "Your plan does not include this model" }, "auth"],
    ["any", 504, "<html><h1>Gateway time-out</h1></html>", "overloaded"],
  ] as const;

  const QUOTAS = [
    ["OpenAI", 429, { code: "insufficient_quota", message: "You exceeded your current quota" }],
    ["DeepSeek", 402, { message: "Insufficient Balance" }],
    ["OpenRouter", 402, { code: 402, message: "This request requires more credits" }],
    ["Z.ai", 429, { code: "1308", message: "Usage limit reached for 5 hour. Resets at 12:00" }],
    ["Zhipu", 429, { code: "1113", message: "您的账户余额不足，请充值" }],
    ["Codex", 429, { type: "usage_limit_reached", message: "The usage limit has been reached" }],
  ] as const;

  test("PROV-13 every host's words mean overflow, rate, quota, auth or something that may pass", () => {
    for (const [host, status, body, kind] of CORPUS) {
      const { fault } = failed(status, typeof body === "string" ? body : { error: body });
      expect({ host, fault }).toEqual({ host, fault: expect.objectContaining({ kind }) });
      expect(fault).not.toHaveProperty("isQuota");
    }
    for (const [host, status, error] of QUOTAS) {
      const { fault } = failed(status, { error });
      expect({ host, fault }).toEqual({ host, fault: { kind: "rate-limit", isQuota: true } });
    }
    for (const [host, message] of OVERFLOWS) {
      const { fault } = failed(400, { error: { message } });
      expect({ host, fault }).toEqual({ host, fault: { kind: "context-overflow" } });
    }
  });

  test("the message is the provider's own, whatever the shape of the body", () => {
    const anthropic = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(failed(529, anthropic).message).toBe("529 overloaded_error: Overloaded");
    expect(failed(400, { error: "plain" }).message).toBe("400: plain");
    expect(failed(400, { message: "flat" }).message).toBe("400: flat");
    expect(
      failed(502, "<html><head><title>x</title></head><h1>Bad gateway</h1></html>").message,
    ).toBe("502: Bad gateway");
    expect(failed(500, "").message).toBe("500: no explanation");
    expect(failed(500, "null").message).toBe("500: null");
  });

  test("an error page is cut short", () => {
    expect(excerpt("x".repeat(5_000)).length).toBeLessThan(310);
  });
});

describe("hints to wait", () => {
  test.each([
    [{ "retry-after-ms": "1500" }, "", 1_500],
    [{ "retry-after": "20" }, "", 20_000],
    [{ "retry-after": "Thu, 01 Jan 1970 00:01:00 GMT" }, "", 60_000],
    [{ "retry-after": "Wed, 31 Dec 1969 23:00:00 GMT" }, "", 0],
    [{ "retry-after-ms": "5", "retry-after": "20" }, "", 5],
    [{ "x-ratelimit-reset-ms": "700" }, "", 700],
    [{ "x-ratelimit-reset": "3" }, "", 3_000],
    [{ "retry-after": "soon" }, "", undefined],
    [{}, "Please try again in 1m6.5s. Visit", 66_500],
    [{}, "Please retry in 20 seconds", 20_000],
    [{}, "try again in 250ms", 250],
    [{}, "no idea", undefined],
  ] as const)("%j and %j ask for %p ms", (headers, message, retryAfterMs) => {
    const { fault } = failed(429, { error: { message } }, headers);
    expect(fault).toEqual({
      kind: "rate-limit",
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  });

  test("a date since 1970 is counted from now", () => {
    const headers = new Headers({ "x-ratelimit-reset": "1800000010" });
    const { fault } = responseFailure({ status: 503, headers, text: "", now: 1_800_000_000_000 });
    expect(fault).toEqual({ kind: "overloaded", retryAfterMs: 10_000 });
  });
});
