/** Rows as a Markdown table. */

export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return "";
  const [head = [], ...rest] = rows.map((row) => lineOf(row, width));
  return [head, `|${" --- |".repeat(width)}`, ...rest].join("\n");
}

function lineOf(row: readonly string[], width: number): string {
  const cells = Array.from({ length: width }, (_, at) => cellOf(row[at] ?? ""));
  return `| ${cells.join(" | ")} |`;
}

function cellOf(text: string): string {
  return text
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, "<br>")
    .trim();
}
