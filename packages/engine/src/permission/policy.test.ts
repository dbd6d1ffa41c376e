import { expect, test } from "bun:test";
import { decideToolCall, type Verdict } from "./policy.ts";

const modes = ["always-ask", "write", "yolo"] as const;
const tiers = ["read", "write", "exec"] as const;

test("each mode lets its tiers pass unasked", () => {
  const verdicts = modes.map((mode) =>
    tiers.map((tier) => decideToolCall({ toolName: "x", tier }, mode, {})),
  );
  expect(verdicts).toEqual([
    ["allow", "ask", "ask"],
    ["allow", "allow", "ask"],
    ["allow", "allow", "allow"],
  ]);
});

const policies: [string, Verdict][] = [
  ["allow", "allow"],
  ["deny", "deny"],
  ["prompt", "ask"],
];
test.each(policies)("APPR-07 the policy %s for a tool holds in every mode", (policy, verdict) => {
  for (const mode of modes) {
    expect(decideToolCall({ toolName: "x", tier: "exec" }, mode, { x: policy })).toBe(verdict);
  }
});

test("APPR-08 a policy nobody knows is as good as none", () => {
  expect(decideToolCall({ toolName: "x", tier: "exec" }, "write", { x: "maybe" })).toBe("ask");
  expect(decideToolCall({ toolName: "x", tier: "exec" }, "yolo", { x: "maybe" })).toBe("allow");
});
