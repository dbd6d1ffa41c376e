/**
 * Changes one setting in the text of config.yml and leaves everything else as the person wrote it: order,
 * comments, blank lines. Each edit is checked against the parser before it counts; what lines cannot
 * express is written under the setting's full name, which always wins.
 */

import { UserError } from "@omp/std";

type Fields = Record<string, unknown>;

/** @throws UserError when the text is no mapping, or the change cannot be made in it */
export function setInText(text: string, name: string, value: unknown): string {
  const before = parse(text);
  const after = withValue(before, name, value);
  const path = name in before ? [name] : name.split(".");
  const edits = [
    replaced(text, path, value),
    insideParent(text, path, value),
    replaced(text, path.slice(0, -1), at(after, path.slice(0, -1))),
    path[0]! in before ? undefined : atEnd(text, path, value),
    inBraces(text) ? Bun.YAML.stringify(after, null, 2) + "\n" : undefined,
  ];
  const found = edits.find((edited) => edited !== undefined && reads(edited, after));
  if (found !== undefined) return found;
  const byFullName = atEnd(text, [name], value);
  if (!(name in before) && reads(byFullName, { ...before, [name]: value })) return byFullName;
  throw new UserError("bad-config", `${name} cannot be changed in this file; edit it by hand.`);
}

/** @throws UserError as `setInText` */
export function resetInText(text: string, name: string): string {
  const before = parse(text);
  const path = name in before ? [name] : name.split(".");
  if (at(before, path) === undefined) return text;
  const after = without(before, path);
  const parent = path.slice(0, -1);
  const edits = [
    removed(text, path),
    replaced(text, parent, at(after, parent)),
    inBraces(text) ? Bun.YAML.stringify(after, null, 2) + "\n" : undefined,
  ];
  const found = edits.find((edited) => edited !== undefined && reads(edited, after));
  // Both spellings may be there; then the other one is in force now.
  if (found !== undefined) return resetInText(found, name);
  throw new UserError("bad-config", `${name} cannot be taken out of this file; edit it by hand.`);
}

/** The whole file is one mapping in braces, as JSON is: it has no lines of its own for each setting. */
function inBraces(text: string): boolean {
  return text.trimStart().startsWith("{");
}

function parse(text: string): Fields {
  const value: unknown = Bun.YAML.parse(text);
  if (value === null || value === undefined) return {};
  if (isFields(value)) return value;
  throw new UserError("bad-config", "The configuration file is not a mapping of settings.");
}

/** Whether the text means these values; a mapping without members is as good as none. */
function reads(text: string, wanted: Fields): boolean {
  try {
    return Bun.deepEquals(dense(parse(text)), dense(wanted));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof UserError) return false;
    throw error;
  }
}

function dense(fields: Fields): Fields {
  const kept = Object.entries(fields)
    .map(([key, value]) => [key, isFields(value) ? dense(value) : value] as const)
    .filter(([, value]) => value !== null && !(isFields(value) && Object.keys(value).length === 0));
  return Object.fromEntries(kept);
}

/** The lines of a key: where it is named, and where what it holds ends. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly indent: number;
}

function find(lines: readonly string[], path: readonly string[]): Place | undefined {
  let place: Place = { from: -1, to: lines.length, indent: -1 };
  for (const key of path) {
    const child = keyIn(lines, place, key);
    if (!child) return undefined;
    place = child;
  }
  return place;
}

function keyIn(lines: readonly string[], { from, to }: Place, key: string): Place | undefined {
  const first = lines.slice(from + 1, to).find(isContent);
  if (first === undefined) return undefined;
  const indent = indentOf(first);
  const named = new RegExp(`^\\s*(["']?)${RegExp.escape(key)}\\1\\s*:(?=\\s|$)`);
  for (let line = from + 1; line < to; line++) {
    if (!isContent(lines[line]!) || indentOf(lines[line]!) !== indent) continue;
    if (named.test(lines[line]!)) return { from: line, to: endOf(lines, line, to, indent), indent };
  }
  return undefined;
}

/** What a key holds is indented further; a list may stand right below it. Blank lines after it are not its own. */
function endOf(lines: readonly string[], from: number, limit: number, indent: number): number {
  let end = from + 1;
  for (let line = from + 1; line < limit; line++) {
    if (!isContent(lines[line]!)) continue;
    const depth = indentOf(lines[line]!);
    const isItem = depth === indent && /^\s*-(\s|$)/.test(lines[line]!);
    if (depth <= indent && !isItem) break;
    end = line + 1;
  }
  return end;
}

function replaced(text: string, path: readonly string[], value: unknown): string | undefined {
  if (path.length === 0) return undefined;
  const lines = text.split("\n");
  const place = find(lines, path);
  if (!place) return undefined;
  const line = lines[place.from]!;
  const key = /^\s*(?:"[^"]*"|'[^']*'|[^:#]+?)\s*:/.exec(line)?.[0];
  if (key === undefined) return undefined;
  const comment = place.to === place.from + 1 ? (/\s+#.*$/.exec(line)?.[0] ?? "") : "";
  return spliced(lines, place.from, place.to, [`${key} ${flow(value)}${comment}`]);
}

/** As the last member of the deepest mapping there is in lines of its own. */
function insideParent(text: string, path: readonly string[], value: unknown): string | undefined {
  const lines = text.split("\n");
  for (let depth = path.length - 1; depth > 0; depth--) {
    const parent = find(lines, path.slice(0, depth));
    if (!parent) continue;
    const first = lines.slice(parent.from + 1, parent.to).find(isContent);
    const indent = first === undefined ? parent.indent + 2 : indentOf(first);
    return spliced(lines, parent.to, parent.to, nested(path.slice(depth), value, indent));
  }
  return undefined;
}

function atEnd(text: string, path: readonly string[], value: unknown): string {
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${start}${nested(path, value, 0).join("\n")}\n`;
}

function nested(path: readonly string[], value: unknown, indent: number): string[] {
  return path.map((key, depth) => {
    const end = depth === path.length - 1 ? ` ${flow(value)}` : "";
    return `${" ".repeat(indent + 2 * depth)}${key}:${end}`;
  });
}

/** A mapping that loses its last member goes with it. */
function removed(text: string, path: readonly string[]): string | undefined {
  const lines = text.split("\n");
  const place = find(lines, path);
  if (!place) return undefined;
  const parent = path.length > 1 ? find(lines, path.slice(0, -1)) : undefined;
  const others = parent
    ? [...lines.slice(parent.from + 1, place.from), ...lines.slice(place.to, parent.to)]
    : [];
  if (parent && !others.some(isContent)) return removed(text, path.slice(0, -1));
  return spliced(lines, place.from, place.to, []);
}

function spliced(
  lines: readonly string[],
  from: number,
  to: number,
  added: readonly string[],
): string {
  return [...lines.slice(0, from), ...added, ...lines.slice(to)].join("\n");
}

/** JSON is YAML; plain words need no quotes. */
function flow(value: unknown): string {
  if (typeof value === "string" && isPlain(value)) return value;
  return JSON.stringify(value);
}

function isPlain(text: string): boolean {
  return /^[A-Za-z][\w./@-]*$/.test(text) && Bun.YAML.parse(text) === text;
}

function withValue(fields: Fields, name: string, value: unknown): Fields {
  if (name in fields) return { ...fields, [name]: value };
  const [key = "", ...rest] = name.split(".");
  if (rest.length === 0) return { ...fields, [key]: value };
  const child = fields[key];
  return { ...fields, [key]: withValue(isFields(child) ? child : {}, rest.join("."), value) };
}

function without(fields: Fields, [key = "", ...rest]: readonly string[]): Fields {
  const { [key]: child, ...others } = fields;
  if (rest.length === 0 || !isFields(child)) return others;
  return { ...fields, [key]: without(child, rest) };
}

function at(fields: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isFields(value) ? value[key] : undefined), fields);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isContent(line: string): boolean {
  return line.trim() !== "" && !/^\s*#/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
