/** The system prompt: sections in a fixed order, so that providers' caches hit. Pure. */

import base from "./prompts/base.md" with { type: "text" };
import { environmentSection, type EnvironmentFacts } from "./sections/environment.ts";

export interface PromptOverrides {
  /** Replaces the built-in text. */
  readonly systemPrompt?: string | undefined;
  /** Added at the end. */
  readonly appendSystemPrompt?: string | undefined;
}

export function assembleSystemPrompt(facts: EnvironmentFacts, overrides: PromptOverrides): string {
  return [
    (overrides.systemPrompt ?? base).trim(),
    environmentSection(facts),
    overrides.appendSystemPrompt?.trim() ?? "",
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}
