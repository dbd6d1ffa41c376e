/** docs/reference/tools.md: every tool the model can call, as the model is told. */

import { page, table, type Document } from "./document.ts";
import { fieldsOf } from "./schema.ts";

/** What this document needs to know of a tool, whatever hosts it runs on. */
interface ToolDescription {
  readonly name: string;
  readonly label: string;
  readonly prompt: string;
  readonly tier: string;
  readonly concurrency: string;
  readonly input: Parameters<typeof fieldsOf>[0];
}

export const tools: Document = {
  file: "tools.md",
  async render() {
    const all: readonly ToolDescription[] = (await import("../../packages/tools/src/index.ts"))
      .tools;
    return page("Tools", "packages/tools/src", all.map(section));
  },
};

function section({ name, label, prompt, tier, concurrency, input }: ToolDescription): string {
  const rows = fieldsOf(input).map((field) => [
    `\`${field.name}\`${field.isRequired ? "" : " (optional)"}`,
    field.type,
    field.description,
  ]);
  const company = concurrency === "shared" ? "runs beside other calls" : "runs alone";
  const parts = [
    `## ${name}`,
    `${label}. Tier \`${tier}\`; ${company}.`,
    ...(rows.length > 0 ? [table(["Argument", "Type", "Meaning"], rows)] : []),
    quote(prompt),
  ];
  return parts.join("\n\n");
}

/** The prompt has headings of its own; quoted, they do not disturb those of the page. */
function quote(prompt: string): string {
  return prompt
    .trim()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}
