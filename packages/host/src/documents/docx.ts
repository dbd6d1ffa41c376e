/** Text documents (.docx) as Markdown: headings, lists, tables and text; what is drawn is left out. */

import { HostError } from "../errors.ts";
import { openPackage } from "./package.ts";
import { markdownTable } from "./table.ts";
import { elements, first, textIn, type Element } from "./xml.ts";

export async function docxText(bytes: Uint8Array): Promise<string> {
  const parts = await openPackage(bytes);
  const body = first(await parts.xml("word/document.xml"), "w:body");
  if (!body) throw new HostError("damaged", "it has no text part");
  return blocksOf(body)
    .filter((block) => block !== "")
    .join("\n\n")
    .replaceAll(/(\n- .*)\n\n(?=- )/g, "$1\n");
}

function blocksOf(parent: Element): readonly string[] {
  return elements(parent).flatMap((child): readonly string[] => {
    switch (child.name) {
      case "w:p":
        return [paragraph(child)];
      case "w:tbl":
        return [table(child)];
      case "w:sdt":
      case "w:sdtContent":
        return blocksOf(child);
      default:
        return [];
    }
  });
}

function paragraph(element: Element): string {
  const text = runsOf(element).trim();
  if (text === "") return "";
  const properties = first(element, "w:pPr");
  const style = first(properties, "w:pStyle")?.attributes["w:val"] ?? "";
  const heading = /^(?:Heading|berschrift|Titre|Ttulo)\s?(\d)$/i.exec(style);
  if (heading) return `${"#".repeat(Math.min(6, Number(heading[1])))} ${text}`;
  if (style === "Title") return `# ${text}`;
  const list = first(properties, "w:numPr");
  if (!list) return text;
  const level = Number(first(list, "w:ilvl")?.attributes["w:val"] ?? 0);
  return `${"  ".repeat(level)}- ${text}`;
}

/** The text of runs, links and fields; deleted text is none. */
function runsOf(element: Element): string {
  return elements(element)
    .map((child): string => {
      switch (child.name) {
        case "w:t":
          return textIn(child);
        case "w:tab":
          return "\t";
        case "w:br":
        case "w:cr":
          return "\n";
        case "w:pPr":
        case "w:rPr":
        case "w:del":
        case "w:instrText":
        case "mc:Fallback":
          return "";
        default:
          return runsOf(child);
      }
    })
    .join("");
}

function table(element: Element): string {
  const rows = elements(element, "w:tr").map((row) =>
    elements(row, "w:tc").map((cell) => blocksOf(cell).join("\n")),
  );
  return markdownTable(rows);
}
