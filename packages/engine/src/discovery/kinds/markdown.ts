/** Markdown with front matter: slash commands, prompts and instructions. */

import { parseMarkdown } from "../front-matter.ts";
import type { MarkdownItem } from "../item.ts";
import { itemOf, textOf, type Kind } from "../kind.ts";

export const markdown: Kind<MarkdownItem> = {
  key: ({ name }) => name,
  read(found, reader) {
    const { fields, body, problem } = parseMarkdown(reader.text(found.path));
    if (problem !== undefined) {
      reader.warn(found.path, `the front matter is not YAML (${problem}); read line by line`);
    }
    if (body.trim() === "") {
      reader.warn(found.path, "not used: it has no text");
      return [];
    }
    const given = found.says["naming"] === "front-matter" ? textOf(fields["name"]) : undefined;
    return [{ ...itemOf(found), name: given ?? found.name, fields, body }];
  },
};
