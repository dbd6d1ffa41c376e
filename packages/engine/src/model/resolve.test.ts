import { providers } from "@omp/ai";
import { expect, test } from "bun:test";
import { resolveModel } from "./resolve.ts";

const resolve = (pattern: string) => {
  const { provider, id } = resolveModel(pattern, providers, {});
  return `${provider}/${id}`;
};

test.each([
  ["anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"],
  ["claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"],
  ["haiku-4-5", "anthropic/claude-haiku-4-5"],
  ["openai/a-model-of-tomorrow", "openai/a-model-of-tomorrow"],
])("%s is %s", (pattern, expected) => expect(resolve(pattern)).toBe(expected));

test("a part of several ids names them, a mistyped one the nearest", () => {
  expect(() => resolve("claude")).toThrow('"claude" fits several models: anthropic/');
  expect(() => resolve("claude-sonet-4-5")).toThrow("Did you mean claude-sonnet-4-5?");
});

test("a base URL from the environment replaces the vendor's", () => {
  const model = resolveModel("claude-sonnet-4-5", providers, {
    ANTHROPIC_BASE_URL: "http://localhost:1",
  });
  expect(model.baseUrl).toBe("http://localhost:1");
});
