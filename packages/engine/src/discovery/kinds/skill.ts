/** Skills: knowledge in folders of its own, read when a task asks for it. */

import { parseMarkdown } from "../front-matter.ts";
import type { Skill } from "../item.ts";
import { itemOf, textOf, type Kind } from "../kind.ts";

export const skill: Kind<Skill> = {
  key: ({ name }) => name,
  read(found, reader) {
    const { fields, problem } = parseMarkdown(reader.text(found.path));
    if (problem !== undefined) {
      reader.warn(found.path, `the front matter is not YAML (${problem}); read line by line`);
    }
    const description = textOf(fields["description"]);
    if (description === undefined && found.says["description"] === "required") {
      reader.warn(found.path, "not used: a skill needs a description in its front matter");
      return [];
    }
    return [
      {
        ...itemOf(found),
        name: textOf(fields["name"]) ?? found.name,
        description: description ?? "",
        isHidden: fields["hide"] === true || fields["disable-model-invocation"] === true,
      },
    ];
  },
};
