/** Rules: always in the prompt, listed in it, or waiting for a pattern in the stream. */

import { parseMarkdown } from "../front-matter.ts";
import type { Rule } from "../item.ts";
import { itemOf, textOf, type Kind } from "../kind.ts";

/** Odd values are the same for every source: what is not of the right type is not there. */
export const rule: Kind<Rule> = {
  key: ({ name }) => name,
  read(found, reader) {
    const { fields, body, problem } = parseMarkdown(reader.text(found.path));
    if (problem !== undefined) {
      reader.warn(found.path, `the front matter is not YAML (${problem}); read line by line`);
    }
    const description = textOf(fields["description"]);
    const condition = textOf(
      fields["condition"] ?? fields["ttsr_trigger"] ?? fields["ttsrTrigger"],
    );
    return [
      {
        ...itemOf(found),
        content: body.trim(),
        globs: globsOf(fields["globs"]),
        alwaysApply: fields["alwaysApply"] === true || found.says["applies"] === "always",
        ...(description !== undefined && { description }),
        ...(condition !== undefined && { condition }),
      },
    ];
  },
};

function globsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((one) => textOf(one) ?? []);
}
