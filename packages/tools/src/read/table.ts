/** Rows as a table of plain characters, no wider than a person reads. Pure. */

const MAX_WIDTH = 120;
const MAX_COLUMN = 40;
const MIN_COLUMN = 3;

type Cell = string | null;

export function asciiTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [columns, ...rows].map((row) => row.map(cellText));
  const widths = fitted(
    columns.map((_, at) => Math.max(...texts.map((row) => widthOf(row[at] ?? "")))),
  );
  const shown = widths.length;
  const lines = texts.map((row) => rowOf(row.slice(0, shown), widths));
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  const hidden = columns.length - shown;
  const more =
    hidden > 0 ? [`[${hidden} more columns; name the ones you need with ?q=SELECT ...]`] : [];
  return [lines[0]!, rule, ...lines.slice(1), ...more].join("\n");
}

/** Every column as wide as it needs, the widest ones less, and as many as have room. */
function fitted(wanted: readonly number[]): readonly number[] {
  const widths = wanted.map((width) => Math.min(MAX_COLUMN, Math.max(MIN_COLUMN, width)));
  const most = Math.floor((MAX_WIDTH - 1) / (MIN_COLUMN + 3));
  const kept = widths.slice(0, most);
  const room = MAX_WIDTH - 1 - kept.length * 3;
  for (let sum = total(kept); sum > room; sum--) {
    const widest = kept.indexOf(Math.max(...kept));
    kept[widest]!--;
  }
  return kept;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

function rowOf(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((width, at) => padded(row[at] ?? "", width));
  return `| ${cells.join(" | ")} |`;
}

function padded(text: string, width: number): string {
  const length = widthOf(text);
  if (length <= width) return text + " ".repeat(width - length);
  let cut = "";
  for (const letter of text) {
    if (widthOf(cut + letter) > width - 1) break;
    cut += letter;
  }
  return `${cut}…${" ".repeat(width - 1 - widthOf(cut))}`;
}

function cellText(cell: Cell): string {
  return cell === null ? "NULL" : cell.replaceAll(/\s*[\r\n]+\s*/g, " ").replaceAll("\t", " ");
}

function widthOf(text: string): number {
  return Bun.stringWidth(text);
}
