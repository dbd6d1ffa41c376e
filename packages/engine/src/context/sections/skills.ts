/** Skills by name, to be read when a task asks for them. */

import type { Skill } from "../../discovery/item.ts";
import hint from "../prompts/skills.md" with { type: "text" };

export function skillsSection(skills: readonly Skill[]): string {
  const announced = skills.filter(({ isHidden }) => !isHidden);
  if (announced.length === 0) return "";
  const lines = announced.map(({ name, description }) => {
    const said = description.replaceAll(/\s+/g, " ");
    return said === "" ? `- ${name}` : `- ${name}: ${said}`;
  });
  return [hint.trim(), ...lines].join("\n");
}
