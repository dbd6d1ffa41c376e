/** Books (.epub) as Markdown, chapter after chapter. */

import { HostError } from "../errors.ts";
import { markdownOf } from "../web/markdown.ts";
import { openPackage, type DocumentPackage } from "./package.ts";
import { all, first } from "./xml.ts";

export async function epubText(bytes: Uint8Array): Promise<string> {
  const parts = await openPackage(bytes);
  const texts: string[] = [];
  for (const name of await chapters(parts)) {
    const chapter = await parts.bytes(name);
    if (!chapter) continue;
    const { text } = await markdownOf(new TextDecoder().decode(chapter), { isWhole: true });
    if (text.trim() !== "") texts.push(text.trim());
  }
  return texts.join("\n\n");
}

async function chapters(parts: DocumentPackage): Promise<readonly string[]> {
  const container = await parts.xml("META-INF/container.xml");
  const place = container && [...all(container, "rootfile")][0]?.attributes["full-path"];
  const book = place === undefined ? undefined : await parts.xml(place);
  if (!book || place === undefined) throw new HostError("damaged", "it has no table of contents");
  const folder = place.includes("/") ? place.slice(0, place.lastIndexOf("/") + 1) : "";
  const files = new Map(
    [...all(first(book, "manifest") ?? book, "item")].map(({ attributes }) => [
      attributes["id"],
      attributes["href"] ?? "",
    ]),
  );
  return [...all(first(book, "spine") ?? book, "itemref")].map(
    ({ attributes }) => folder + decoded(files.get(attributes["idref"]) ?? ""),
  );
}

/** What is not encoded properly is taken as it is. */
function decoded(href: string): string {
  try {
    return decodeURI(href);
  } catch (error) {
    if (error instanceof URIError) return href;
    throw error;
  }
}
