/** Which words about sampling Anthropic's models take. */

import { expect, test } from "bun:test";
import { samplingFaults } from "./anthropic-sampling.ts";

const THINKS = { thinking: { type: "enabled", budget_tokens: 2000 } };

test.each([
  ["claude-3-5-haiku", { temperature: 0.4, top_p: 0.9, top_k: 7 }],
  ["claude-sonnet-4-5", { temperature: 0.4, top_k: 7 }],
  ["claude-opus-4-6", { top_p: 0.9 }],
  ["claude-sonnet-4-5", { ...THINKS, temperature: 1 }],
  ["claude-3-7-sonnet", { ...THINKS, top_p: 0.95 }],
])("%s takes %j", (model, fields) => {
  expect([...samplingFaults({ model, ...fields })]).toEqual([]);
});

test.each([
  ["claude-sonnet-4-5", { temperature: 0.4, top_p: 0.9 }, "cannot both be specified"],
  ["claude-opus-4-1-20250805", { temperature: 0.4, top_p: 0.9 }, "cannot both be specified"],
  ["claude-sonnet-4-5", { ...THINKS, temperature: 0.4 }, "may only be set to 1"],
  ["claude-sonnet-4-5", { ...THINKS, top_p: 0.9 }, "0.95"],
  ["claude-opus-4-6", { thinking: { type: "adaptive" }, top_k: 7 }, "must be unset"],
  ["claude-opus-4-7", { temperature: 0.4 }, "deprecated"],
  ["claude-sonnet-5", { top_k: 7 }, "deprecated"],
  ["claude-fable-5-1", { top_p: 0.9 }, "deprecated"],
])("%s refuses %j", (model, fields, words) => {
  const [first = ""] = samplingFaults({ model, ...fields });
  expect(first).toContain(words);
});
