/** Skills as slash commands: `/skill:<name>` puts the text of a skill into the prompt. */

import { dirname } from "node:path";
import type { Discovery } from "../discovery/discovery.ts";
import { parseMarkdown } from "../discovery/front-matter.ts";
import type { Skill } from "../discovery/item.ts";
import type { FileCommand } from "./file-commands.ts";

export function skillCommands(discovery: Pick<Discovery, "find" | "look">): readonly FileCommand[] {
  return discovery.find("skill").items.map((skill) => ({
    name: `skill:${skill.name}`,
    description: skill.description,
    source: skill.source === "native" ? skill.level : `via ${skill.sourceName}`,
    run: async (args) => ({ kind: "prompt", text: promptOf(skill, discovery, args) }),
  }));
}

/** Read when it is called: the person may have changed it since the session began. */
function promptOf(skill: Skill, { look }: Pick<Discovery, "look">, args: string): string {
  const folder = dirname(skill.path);
  const text = look.text(skill.path, skill.level === "project" ? folder : undefined);
  const { body } = parseMarkdown(text);
  return [
    `<skill name=${JSON.stringify(skill.name)} folder=${JSON.stringify(folder)}>`,
    body.trim(),
    "</skill>",
    ...(args.trim() === "" ? [] : ["", args]),
  ].join("\n");
}
