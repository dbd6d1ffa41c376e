/** The text of a `.env` file as names and values. Nothing in it is expanded or run. */

export interface ParsedEnvironment {
  readonly values: ReadonlyMap<string, string>;
  readonly problems: readonly LineProblem[];
}

/** Says where and what, never the text of the line: it may be a secret. */
export interface LineProblem {
  readonly line: number;
  readonly message: string;
}

const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Of a name that stands there twice the last value counts. Each `OMP_X` is also `PI_X`, unless the file has its own. */
export function parseEnvironment(text: string): ParsedEnvironment {
  const nul = text.indexOf("\0");
  if (nul >= 0) {
    const message = "has a zero byte; nothing of the file is used";
    return { values: new Map(), problems: [{ line: lineAt(text, nul), message }] };
  }
  const { values, problems } = readLines(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  for (const [name, value] of [...values]) {
    const mirror = `PI_${name.slice("OMP_".length)}`;
    if (name.startsWith("OMP_") && !values.has(mirror)) values.set(mirror, value);
  }
  return { values, problems };
}

function readLines(text: string) {
  const values = new Map<string, string>();
  const problems: LineProblem[] = [];
  for (let at = 0, line = 1; at < text.length;) {
    const end = endOfLine(text, at);
    const { next, value, name, problem } = readAssignment(text, at, end);
    if (name !== undefined && value !== undefined) values.set(name, value);
    if (problem !== undefined) problems.push({ line, message: problem });
    line += text.slice(at, next).split("\n").length - 1;
    at = next;
  }
  return { values, problems };
}

interface Assignment {
  /** Where the next line begins. */
  readonly next: number;
  readonly name?: string;
  readonly value?: string;
  readonly problem?: string;
}

function readAssignment(text: string, at: number, end: number): Assignment {
  const row = text.slice(at, end);
  const next = end + 1;
  if (/^[ \t]*(?:#|$)/.test(row)) return { next };
  const found = ASSIGNMENT.exec(row);
  if (!found) return { next, problem: "is not NAME=value" };
  const name = found[1]!;
  const start = at + found[0].length;
  const quote = text[start];
  if (quote !== '"' && quote !== "'" && quote !== "`") {
    return { next, name, value: plainValue(text.slice(start, end)) };
  }
  const close = closingQuote(text, start, quote);
  if (close < 0) return { next, problem: `the quote of ${name} is never closed` };
  const lineEnd = endOfLine(text, close);
  if (!/^[ \t]*(?:#.*)?$/.test(text.slice(close + 1, lineEnd))) {
    return { next: lineEnd + 1, problem: `something follows the quoted value of ${name}` };
  }
  const inner = text.slice(start + 1, close);
  return { next: lineEnd + 1, name, value: quote === '"' ? unescaped(inner) : inner };
}

/** A `#` begins a comment only behind a space: it may be part of a password. */
function plainValue(text: string): string {
  return text.replace(/(?:^|[ \t]+)#.*$/, "").trim();
}

/** May be on a later line. A backslash hides a quote only between double quotes. */
function closingQuote(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, (_whole, letter: string) => {
    if (letter === '"' || letter === "\\") return letter;
    return ESCAPES[letter] ?? `\\${letter}`;
  });
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
