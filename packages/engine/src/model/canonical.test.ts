import { expect, test } from "bun:test";
import { canonicalIdOf, type CanonicalRules } from "./canonical.ts";

const rules = (more: Partial<CanonicalRules> = {}): CanonicalRules => ({
  official: new Map([
    ["claude-opus-4-6", "anthropic"],
    ["gpt-5.3-codex", "openai"],
    ["grok-4.6", "xai"],
  ]),
  overrides: new Map(),
  exclude: new Set(),
  ...more,
});
const canonical = (selector: string, more?: Partial<CanonicalRules>) => {
  const slash = selector.indexOf("/");
  const model = { provider: selector.slice(0, slash), id: selector.slice(slash + 1) };
  return canonicalIdOf(model, rules(more));
};

test("PM-34 the person's word, then an official id, then a narrow guess, then the own id", () => {
  const overrides = new Map([["zenmux/claude-opus-4-6", "gpt-5.3-codex"]]);
  expect(canonical("zenmux/claude-opus-4-6", { overrides })).toBe("gpt-5.3-codex");
  expect(canonical("zenmux/claude-opus-4-6")).toBe("claude-opus-4-6");
  expect(canonical("openrouter/anthropic/claude-opus-4-6")).toBe("claude-opus-4-6");
  expect(canonical("zenmux/odd-one")).toBe("odd-one");
});

test("PM-35 a vendor's name is taken off and dots become dashes, if that is an official id", () => {
  expect(canonical("openrouter/anthropic/claude-opus-4.6")).toBe("claude-opus-4-6");
  expect(canonical("copilot/claude-opus-4.6")).toBe("claude-opus-4-6");
  expect(canonical("openrouter/openai/gpt-5.3-codex")).toBe("gpt-5.3-codex");
  expect(canonical("openrouter/x-ai/grok-4.6")).toBe("grok-4.6");
  expect(canonical("p/foo-4.6")).toBe("foo-4.6");
});

test("PM-36 look-alikes stay alone", () => {
  for (const id of [
    "claude-opus-4-6-fast",
    "claude-opus",
    "claude-opus-4",
    "claude-4.6-opus",
    "gpt-5-3-codex",
    "somebody/claude-opus-4-6",
    "openai/claude-opus-4-6",
    "CLAUDE-OPUS-4-6",
  ]) {
    expect(canonical(`p/${id}`)).toBe(id);
  }
});

test("PM-37 an excluded model is in no group, not even by the person's word", () => {
  const exclude = new Set(["demo/claude-opus-4-6"]);
  const overrides = new Map([["demo/claude-opus-4-6", "gpt-5.3-codex"]]);
  expect(canonical("demo/claude-opus-4-6", { exclude, overrides })).toBeUndefined();
  expect(canonical("other/claude-opus-4-6", { exclude })).toBe("claude-opus-4-6");
});
