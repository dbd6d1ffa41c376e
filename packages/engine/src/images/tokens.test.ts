import { expect, test } from "bun:test";
import { imageTokens } from "./tokens.ts";

const anthropic = { api: "anthropic-messages", id: "claude-sonnet-4-5" };
const google = { api: "google-generative-ai", id: "gemini-2.5-pro" };
const openai = (id: string) => ({ api: "openai-responses", id });

/** The vendors' own examples. */
test.each([
  [200, 200, anthropic, 54],
  [1000, 1000, anthropic, 1334],
  [1092, 1092, anthropic, 1590],
  [1920, 1080, anthropic, 1534],
  [384, 384, google, 258],
  [960, 540, google, 6 * 258],
  [1024, 1024, openai("gpt-4.1"), 765],
  [2048, 4096, openai("gpt-4o"), 1105],
  [1024, 1024, openai("gpt-5"), 630],
  [1024, 1024, openai("gpt-5-mini"), 1659],
  [1800, 2400, openai("gpt-4.1-mini"), Math.ceil(1452 * 1.62)],
])("%dx%d on %p is about %d tokens", (width, height, model, tokens) => {
  expect(Math.abs(imageTokens({ width, height }, model) - tokens) / tokens).toBeLessThan(0.1);
});
