/** Where something stands in a YAML text. The parser tells neither the line of a fault nor that of a key. */

export type KeyPath = readonly (string | number)[];

/** The line, from 1, of the value at a path; the nearest enclosing one where it cannot be told exactly. */
export function lineOf(text: string, path: KeyPath): number {
  const lines = text.split("\n").map((line) => (/^\s*#/.test(line) ? "" : line));
  let block: Block = { from: 0, inside: 0, to: lines.length };
  for (const step of path) {
    const child = typeof step === "number" ? itemOf(lines, block, step) : keyOf(lines, block, step);
    if (!child) break;
    block = child;
  }
  return block.from + 1;
}

/**
 * The line, from 1, after which the text stops being YAML: the longest beginning that parses ends before it.
 * A bracket or quote that is never closed is found where it was opened.
 */
export function faultLine(text: string, parses: (beginning: string) => boolean): number {
  const lines = text.split("\n").slice(0, MAX_LINES);
  for (let count = lines.length - 1; count > 0; count--) {
    if (parses(lines.slice(0, count).join("\n"))) return count + 1;
  }
  return 1;
}

/** Each beginning is parsed anew: longer files than this would make a person wait. */
const MAX_LINES = 1000;

/** A value: the line that names it, the first line of what it holds, and the line after it. */
interface Block {
  readonly from: number;
  readonly inside: number;
  readonly to: number;
}

function keyOf(lines: readonly string[], block: Block, key: string): Block | undefined {
  const escaped = key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const name = `(?:"${escaped}"|'${escaped}'|${escaped})\\s*:(?=\\s|$)`;
  const own = new RegExp(`^\\s*${name}`);
  const contents = lines.slice(block.inside, block.to);
  const indent = indentOf(contents.find((line) => line.trim() !== "") ?? "");
  const at = contents.findIndex((line) => indentOf(line) === indent && own.test(line));
  if (at >= 0) return valueAt(lines, block.inside + at, block.to);
  // A flow mapping: `{ key: value }`, on one line or several.
  const inline = new RegExp(`[{,\\s]${name}`);
  const flow = lines.slice(block.from, block.to).findIndex((line) => inline.test(line));
  if (flow < 0) return undefined;
  return { from: block.from + flow, inside: block.from + flow, to: block.to };
}

function itemOf(lines: string[], block: Block, index: number): Block | undefined {
  const contents = lines.slice(block.inside, block.to);
  const indent = indentOf(contents.find(isItem) ?? "");
  const starts = contents.flatMap((line, at) =>
    isItem(line) && indentOf(line) === indent ? [block.inside + at] : [],
  );
  const from = starts[index];
  if (from === undefined) return undefined;
  // Without its dash the item's first line is a line of the mapping like the others.
  lines[from] = lines[from]!.replace("-", " ");
  return { from, inside: from, to: starts[index + 1] ?? block.to };
}

/** What a key holds is indented further than the key; a list may stand right below it. */
function valueAt(lines: readonly string[], at: number, end: number): Block {
  const indent = indentOf(lines[at]!);
  let to = at + 1;
  for (; to < end; to++) {
    const line = lines[to]!;
    if (line.trim() === "" || indentOf(line) > indent) continue;
    if (indentOf(line) < indent || !isItem(line)) break;
  }
  return { from: at, inside: at + 1, to };
}

function isItem(line: string): boolean {
  return /^\s*-(\s|$)/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
