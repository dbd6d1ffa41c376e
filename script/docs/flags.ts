/** docs/reference/flags.md: every flag of the command line. */

import type { Flag } from "../../packages/app/src/cli/flag.ts";
import { code, page, table, type Document } from "./document.ts";

export const flags: Document = {
  file: "flags.md",
  async render() {
    const { flags: all } = await import("../../packages/app/src/cli/flags/registry.ts");
    const categories = [...new Set(all.map(({ category }) => category))];
    return page(
      "Flags",
      "packages/app/src/cli/flags",
      categories.map((category) => section(category, all)),
    );
  },
};

function section(category: string, all: readonly Flag[]): string {
  const rows = all
    .filter((flag) => flag.category === category)
    .map((flag) => [spellings(flag), flag.help]);
  return `## ${category}\n\n${table(["Flag", "Meaning"], rows)}`;
}

function spellings({ name, short, aliases = [], value }: Flag): string {
  const names = [`--${name}`, ...aliases.map((alias) => `--${alias}`)];
  if (short !== undefined) names.push(`-${short}`);
  return names.map((text) => code(value === undefined ? text : `${text} ${value}`)).join(", ");
}
