/** Which forms of thinking each generation of Anthropic's models takes. */

import { expect, test } from "bun:test";
import { thinkingFaults } from "./anthropic-thinking.ts";

const ENABLED = { thinking: { type: "enabled", budget_tokens: 2000 } };
const ADAPTIVE = { thinking: { type: "adaptive" } };
const DISABLED = { thinking: { type: "disabled" } };
const BETWEEN = { thinking: { type: "between_tools" } };
const FORCED = { tool_choice: { type: "any" } };

test.each([
  ["claude-sonnet-4-5", ENABLED],
  ["claude-opus-4-6", ENABLED],
  ["claude-opus-4-6", { ...ADAPTIVE, output_config: { effort: "max" } }],
  ["claude-opus-4-7", { ...ADAPTIVE, output_config: { effort: "xhigh" } }],
  ["claude-opus-5", { ...DISABLED, ...FORCED }],
  ["claude-sonnet-5-5", BETWEEN],
  ["claude-opus-5-5", { output_config: { effort: "low" } }],
  ["claude-sonnet-4-5", FORCED],
])("%s takes %j", (model, fields) => {
  expect([...thinkingFaults({ model, max_tokens: 4000, ...fields })]).toEqual([]);
});

test.each([
  ["claude-sonnet-4-5", ADAPTIVE, "thinking.type.adaptive"],
  ["claude-sonnet-4-5", { ...ENABLED, ...FORCED }, "forces tool use"],
  ["claude-sonnet-4-5", { ...ENABLED, max_tokens: 2000 }, "must be greater than"],
  ["claude-opus-4-6", { ...ADAPTIVE, output_config: { effort: "xhigh" } }, "effort level"],
  ["claude-opus-4-7", ENABLED, "thinking.type.enabled"],
  ["claude-opus-5", FORCED, "forces tool use"],
  ["claude-opus-5-5", DISABLED, "thinking.type.disabled"],
  ["claude-sonnet-5-5", DISABLED, "thinking.type.disabled"],
  ["claude-sonnet-5-5", { ...BETWEEN, output_config: { effort: "max" } }, "between_tools"],
  ["claude-fable-5-1", { ...ADAPTIVE, ...FORCED }, "forced tool use"],
])("%s refuses %j", (model, fields, words) => {
  const [first = ""] = thinkingFaults({ model, max_tokens: 4000, ...fields });
  expect(first).toContain(words);
});
