/** Slides (.pptx) as text, in their order. */

import { HostError } from "../errors.ts";
import { openPackage, relations } from "./package.ts";
import { all, elements, first, textIn } from "./xml.ts";

const PRESENTATION = "ppt/presentation.xml";

export async function pptxText(bytes: Uint8Array): Promise<string> {
  const parts = await openPackage(bytes);
  const presentation = await parts.xml(PRESENTATION);
  if (!presentation) throw new HostError("damaged", "it has no slides");
  const places = await relations(parts, PRESENTATION);
  const list = first(presentation, "p:sldIdLst");
  const texts: string[] = [];
  for (const [at, slide] of (list ? elements(list, "p:sldId") : []).entries()) {
    const content = await parts.xml(places.get(slide.attributes["r:id"] ?? "") ?? "");
    const lines = content
      ? [...all(content, "a:p")].map((paragraph) => [...all(paragraph, "a:t")].map(textIn).join(""))
      : [];
    texts.push([`## Slide ${at + 1}`, ...lines.filter((line) => line.trim() !== "")].join("\n\n"));
  }
  return texts.join("\n\n");
}
