/** Keys that a YAML file has twice in one mapping: the parser takes the last one and says nothing. */

export interface DuplicateKey {
  readonly key: string;
  /** From 1. */
  readonly line: number;
  readonly firstLine: number;
}

interface Level {
  readonly indent: number;
  readonly seen: Map<string, number>;
}

const KEY = /^(\s*)(?:"([^"]+)"|'([^']+)'|([^\s#"'[\]{},&*!|>%@`-][^#:]*?))\s*:(?=\s|$)(.*)$/;

/** Mappings in lines only: braces hold little, and lists begin each item anew. */
export function duplicateKeys(text: string): readonly DuplicateKey[] {
  const found: DuplicateKey[] = [];
  let levels: Level[] = [];
  /** Lines indented further than this belong to a text. */
  let textBelow = Infinity;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "" || /^\s*#/.test(line)) continue;
    const indent = line.length - line.trimStart().length;
    if (indent > textBelow) continue;
    textBelow = Infinity;
    levels = levels.filter((level) => level.indent <= indent);
    if (/^\s*-(\s|$)/.test(line)) levels = levels.filter((level) => level.indent < indent);
    const [, , double, single, plain, rest = ""] = KEY.exec(line) ?? [];
    const key = double ?? single ?? plain;
    if (key === undefined) continue;
    const level = levels.at(-1)?.indent === indent ? levels.at(-1)! : { indent, seen: new Map() };
    if (level !== levels.at(-1)) levels.push(level);
    const firstLine = level.seen.get(key);
    if (firstLine !== undefined) found.push({ key, line: index + 1, firstLine });
    else level.seen.set(key, index + 1);
    if (/^\s*[|>][+-]?\d*\s*(?:#.*)?$/.test(rest)) textBelow = indent;
  }
  return found;
}
