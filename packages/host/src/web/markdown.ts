/** HTML as Markdown for a reader: the text of a page without its menus and scripts. */

import { lazy } from "@omp/std";
import wasmPath from "mdream/wasm/mdream_edge_bg.wasm" with { type: "file" };

export interface PageText {
  readonly text: string;
}

export interface MarkdownOptions {
  /** What links are relative to. */
  readonly url?: string;
  /** Everything, not only the main part: for a text that has no menus. */
  readonly isWhole?: boolean;
}

/** A main part that is shorter than this may not be the main one. */
const MIN_MAIN = 200;

/** What around the text no reader wants. */
const AROUND = [
  "form",
  "fieldset",
  "object",
  "embed",
  "footer",
  "aside",
  "iframe",
  "input",
  "textarea",
  "select",
  "button",
  "nav",
];

const CLEAN = {
  fragments: true,
  emptyLinks: true,
  redundantLinks: true,
  selfLinkHeadings: true,
  emptyImages: true,
  emptyLinkText: true,
};

const load = lazy(async () => {
  const [converter, module] = await Promise.all([
    import("mdream/wasm"),
    Bun.file(wasmPath).bytes(),
  ]);
  converter.initSync({ module });
  return converter.htmlToMarkdownResult as (html: string, options: object) => Result;
});

interface Result {
  readonly markdown?: string;
}

export async function markdownOf(
  html: string,
  { url, isWhole = false }: MarkdownOptions = {},
): Promise<PageText> {
  const convert = await load();
  const textWith = (plugins: object): string => {
    const { markdown } = convert(html, { origin: url, cleanUrls: false, clean: CLEAN, plugins });
    return markdown ?? "";
  };
  if (isWhole) return { text: textWith({}) };
  const around = { frontmatter: {}, filter: { exclude: AROUND } };
  const main = textWith({ ...around, isolateMain: true });
  if (withoutFront(main).length >= MIN_MAIN) return { text: main };
  // A page need not say which part of it is the main one.
  const all = textWith(around);
  return { text: all.length > main.length ? all : main };
}

/** Without what stands about the page in front. */
function withoutFront(markdown: string): string {
  return markdown.replace(/^---\n[\s\S]*?\n---(?:\n|$)/, "").trim();
}
