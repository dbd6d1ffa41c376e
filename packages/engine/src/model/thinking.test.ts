import { expect, test } from "bun:test";
import type { ThinkingSupport } from "@omp/ai/schema";
import { clampThinking } from "./thinking.ts";

const knows = (...levels: ThinkingSupport["levels"]) => ({
  reasoning: true,
  thinking: { mode: "effort", levels } as const,
});

test("a level the model does not know becomes the next lower one, or its lowest", () => {
  expect(clampThinking(knows("low", "medium", "high"), "xhigh")).toBe("high");
  expect(clampThinking(knows("low", "high"), "medium")).toBe("low");
  expect(clampThinking(knows("medium", "high"), "minimal")).toBe("medium");
  expect(clampThinking(knows("low", "high"), "high")).toBe("high");
  expect(clampThinking(knows("low"), "off")).toBe("off");
});

test("a model that cannot think is off; one of which nothing is known gets what was asked", () => {
  expect(clampThinking({ reasoning: false }, "high")).toBe("off");
  expect(clampThinking({ reasoning: true }, "xhigh")).toBe("xhigh");
});
