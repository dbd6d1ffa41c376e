/** That secrets do not survive the redactor, and that the rest does. */

import { describe, expect, test } from "bun:test";
import { createRedactor } from "./redact.ts";

describe("redactText", () => {
  test.each([
    ["Authorization: Bearer abc.def-123", "Authorization: [redacted]"],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"[redacted]"}'],
    ["x-api-key: 12345", "x-api-key: [redacted]"],
    ["sent bearer eyabcdefgh now", "sent bearer [redacted] now"],
    ["key sk-ant-api03-abcdefghijklmnop end", "key [redacted] end"],
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]"],
    ["AKIAIOSFODNN7EXAMPLE", "[redacted]"],
    ["https://x.test/v1?key=abc&n=1", "https://x.test/v1?key=[redacted]&n=1"],
    ["https://x.test/?access_token=abc#top", "https://x.test/?access_token=[redacted]#top"],
    ["https://me:p@ss@x.test/a@b", "https://[redacted]@x.test/a@b"],
    ["the task-force asked for tokens=5", "the task-force asked for tokens=5"],
  ])("%s", (text, clean) => expect(createRedactor().redactText(text)).toBe(clean));

  test("exact values go, also as written in a URL or in JSON", () => {
    const redactor = createRedactor();
    redactor.addSecret('hunter2 "long"');
    redactor.addSecret('hunter2 "long" and longer');
    redactor.addSecret("short");
    const text = 'a hunter2 "long" and longer b hunter2%20%22long%22 c hunter2 \\"long\\" d short';
    expect(redactor.redactText(text)).toBe("a [redacted] b [redacted] c [redacted] d short");
  });

  test("hostile text costs linear time", () => {
    const redactor = createRedactor();
    for (const part of ["eyJ-", "sk-", "://", "?a.", "bearer ", "authorization", "a@"]) {
      const text = part.repeat(200_000 / part.length);
      const started = performance.now();
      redactor.redactText(text);
      expect(performance.now() - started).toBeLessThan(2000);
    }
  });
});

describe("redactFields", () => {
  test("names of secrets hide their values at any depth", () => {
    const clean = createRedactor().redactFields({
      model: "m",
      apiKey: "short",
      headers: new Headers({ Authorization: "x", accept: "y" }),
      nested: [{ refresh_token: { a: 1 }, hasToken: true, totalTokens: 12 }],
      session_cookie: 7,
    });
    expect(clean).toEqual({
      model: "m",
      apiKey: "[redacted]",
      headers: { authorization: "[redacted]", accept: "y" },
      nested: [{ refresh_token: "[redacted]", hasToken: true, totalTokens: 12 }],
      session_cookie: "[redacted]",
    });
  });

  test("texts inside errors are redacted, too", () => {
    const redactor = createRedactor();
    redactor.addSecret("topsecretvalue");
    const cause = new Error("inner topsecretvalue");
    const error = Object.assign(new Error("outer topsecretvalue", { cause }), { code: "EIO" });
    const written = JSON.stringify(redactor.redactFields({ error }));
    expect(written).not.toContain("topsecretvalue");
    expect(written).toContain("outer [redacted]");
    expect(written).toContain("EIO");
  });

  test("the copy is always finite JSON", () => {
    const cycle: Record<string, unknown> = { n: 1n, f: () => 1, bytes: new Uint8Array(3) };
    cycle["self"] = cycle;
    cycle["many"] = Array.from({ length: 1000 }, (_, index) => index);
    const written = JSON.stringify(createRedactor().redactFields(cycle));
    expect(written.length).toBeLessThan(10_000);
    expect(written).toContain('"n":"1"');
    expect(written).toContain("[too deep]");
  });
});
