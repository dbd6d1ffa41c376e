/** Tables (.xlsx) as Markdown, one for each sheet. */

import { HostError } from "../errors.ts";
import { openPackage, relations, type DocumentPackage } from "./package.ts";
import { markdownTable } from "./table.ts";
import { all, elements, first, textIn, type Element } from "./xml.ts";

const MAX_ROWS = 10_000;
const MAX_COLUMNS = 256;
const WORKBOOK = "xl/workbook.xml";

export async function xlsxText(bytes: Uint8Array): Promise<string> {
  const parts = await openPackage(bytes);
  const workbook = await parts.xml(WORKBOOK);
  if (!workbook) throw new HostError("damaged", "it has no workbook");
  const places = await relations(parts, WORKBOOK);
  const known: Known = { strings: await sharedStrings(parts), dates: await dateStyles(parts) };
  const texts: string[] = [];
  for (const sheet of elements(first(workbook, "sheets") ?? workbook, "sheet")) {
    const place = places.get(sheet.attributes["r:id"] ?? "");
    const content = place === undefined ? undefined : await parts.xml(place);
    if (!content) continue;
    const table = markdownTable(rowsOf(content, known));
    texts.push(`## ${sheet.attributes["name"] ?? ""}\n\n${table || "(empty sheet)"}`);
  }
  return texts.join("\n\n");
}

interface Known {
  readonly strings: readonly string[];
  /** The styles of cells whose numbers are days. */
  readonly dates: ReadonlySet<number>;
}

function rowsOf(sheet: Element, known: Known): readonly (readonly string[])[] {
  const data = first(sheet, "sheetData");
  const found = data ? elements(data, "row") : [];
  const rows = found.slice(0, MAX_ROWS).map((row) => {
    const cells: string[] = [];
    for (const cell of elements(row, "c")) {
      const at = columnOf(cell.attributes["r"] ?? "") ?? cells.length;
      if (at < MAX_COLUMNS) cells[at] = valueOf(cell, known);
    }
    return Array.from(cells, (text) => text ?? "");
  });
  if (found.length > MAX_ROWS) rows.push([`… ${found.length - MAX_ROWS} more rows`]);
  return rows;
}

/** `BC7` is column 54. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function valueOf(cell: Element, { strings, dates }: Known): string {
  const raw = textIn(first(cell, "v") ?? "");
  switch (cell.attributes["t"]) {
    case "s":
      return strings[Number(raw)] ?? "";
    case "inlineStr":
      return textOf(first(cell, "is"));
    case "b":
      return raw === "1" ? "TRUE" : "FALSE";
    case "str":
    case "e":
    case "d":
      return raw;
    default:
      return dates.has(Number(cell.attributes["s"] ?? -1)) ? dayOf(raw) : raw;
  }
}

async function sharedStrings(parts: DocumentPackage): Promise<readonly string[]> {
  const shared = await parts.xml("xl/sharedStrings.xml");
  return shared ? elements(shared, "si").map(textOf) : [];
}

/** Readings of foreign characters stand beside the text and are none. */
function textOf(item: Element | undefined): string {
  if (!item) return "";
  return elements(item)
    .filter(({ name }) => name === "t" || name === "r")
    .map((part) => [...all({ ...part, children: [part] }, "t")].map(textIn).join(""))
    .join("");
}

async function dateStyles(parts: DocumentPackage): Promise<ReadonlySet<number>> {
  const styles = await parts.xml("xl/styles.xml");
  if (!styles) return new Set();
  const own = new Map(
    elements(first(styles, "numFmts") ?? { ...styles, children: [] }, "numFmt").map(
      ({ attributes }) => [Number(attributes["numFmtId"]), attributes["formatCode"] ?? ""] as const,
    ),
  );
  const formats = first(styles, "cellXfs");
  const dates = (formats ? elements(formats, "xf") : []).flatMap(({ attributes }, at) =>
    isDate(Number(attributes["numFmtId"]), own) ? [at] : [],
  );
  return new Set(dates);
}

function isDate(format: number, own: ReadonlyMap<number, string>): boolean {
  if ((format >= 14 && format <= 22) || (format >= 45 && format <= 47)) return true;
  const code = own.get(format)?.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, "");
  return code !== undefined && /[ymdhs]/i.test(code) && !/[#0?]/.test(code.replace(/0+$/, ""));
}

/** Days since the end of 1899, as a date and a time where there is one. */
function dayOf(raw: string): string {
  const days = Number(raw);
  if (raw === "" || !Number.isFinite(days) || days < 0 || days > 2_958_466) return raw;
  const iso = new Date(Math.round((days - 25_569) * 86_400) * 1000).toISOString();
  const time = iso.slice(11, 19);
  if (days < 1) return time;
  return time === "00:00:00" ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`;
}
