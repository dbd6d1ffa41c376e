/** A session as one page that needs nothing else: no network, no other file. Pure. */

import { base64Parts } from "./base64.ts";
import type { ExportData } from "./data.ts";
import { jsonParts } from "./json.ts";
import { themeStyle, type ExportTheme } from "./theme.ts";

/** Made by script/gen-export-page.ts: style, script and their hashes are in it already. */
export interface PageTemplate {
  readonly text: string;
}

export async function loadTemplate(): Promise<PageTemplate> {
  const { default: text } = await import("./page.generated.txt", { with: { type: "text" } });
  return { text };
}

export async function renderHtml(data: ExportData, theme?: ExportTheme): Promise<string> {
  return [...htmlParts(await loadTemplate(), data, theme)].join("");
}

/**
 * Base64 has no `<`: whatever the session holds, it cannot end the element it stands in. The other
 * values are escaped, or made of checked colours.
 */
export function* htmlParts(
  { text }: PageTemplate,
  data: ExportData,
  theme?: ExportTheme,
): Generator<string> {
  const style = themeStyle(theme);
  const values: Readonly<Record<string, Iterable<string>>> = {
    title: [escaped(titleOf(data))],
    themeStyle: [style.css],
    themeHash: [new Bun.CryptoHasher("sha256").update(style.css).digest("base64")],
    mode: [style.mode],
    data: base64Parts(jsonParts(data)),
  };
  for (const [index, part] of text.split(/%%omp:(\w+)%%/).entries()) {
    if (index % 2 === 0) yield part;
    else yield* values[part] ?? [];
  }
}

function titleOf({ header }: ExportData): string {
  return header.title ?? `Session of ${header.timestamp.slice(0, 10)}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
