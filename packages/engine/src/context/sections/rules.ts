/** Rules: those that always apply in full, the others by name to be read when they fit. */

import type { Rule } from "../../discovery/item.ts";
import hint from "../prompts/rules.md" with { type: "text" };

/** @param given texts that stand in the prompt already: a rule in one of them is not said twice */
export function alwaysSection(rules: readonly Rule[], given: readonly string[]): string {
  return rules
    .map(({ content }) => content)
    .filter((content) => content !== "" && !given.some((text) => text.includes(content)))
    .join("\n\n");
}

export function rulebookSection(rules: readonly Rule[]): string {
  if (rules.length === 0) return "";
  const lines = rules.map(({ name, description = "", globs }) => {
    const scope = globs.map((glob) => ` <glob>${glob}</glob>`).join("");
    return `- ${name}: ${description.replaceAll(/\s+/g, " ")}${scope}`;
  });
  return [hint.trim(), ...lines].join("\n");
}

/** Which rules go where. One with a condition waits for it in the stream. */
export function splitRules(rules: readonly Rule[]) {
  const plain = rules.filter(({ condition }) => condition === undefined);
  return {
    always: plain.filter(({ alwaysApply }) => alwaysApply),
    rulebook: plain.filter(
      ({ alwaysApply, description }) => !alwaysApply && description !== undefined,
    ),
  };
}
