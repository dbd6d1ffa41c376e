/** `@path` in a context file stands for the text of that file. */

import { HostError } from "@omp/host";
import { codeOf, ignore } from "@omp/std";
import { dirname, resolve } from "node:path";

export interface ImportDeps {
  readonly home: string;
  /** @throws a HostError for what must not be read, and an error of the system for what is not there */
  read(path: string): string;
  warn(place: string, text: string): void;
}

const MAX_LEVELS = 5;
/** Files that import each other crosswise grow with every level. */
const MAX_IMPORTS = 100;

/** Not in code; at the beginning of a line or after a blank. What cannot be had stays as it is written. */
export function expandImports(text: string, path: string, deps: ImportDeps): string {
  let left = MAX_IMPORTS;
  const expand = (content: string, chain: readonly string[]): string =>
    chain.length > MAX_LEVELS
      ? content
      : outsideOfCode(content, (plain) =>
          plain.replace(IMPORT, (whole: string, before: string, written: string) => {
            const [name, rest] = withoutPunctuation(written);
            const target = resolvePath(name, chain.at(-1)!, deps.home);
            if (chain.includes(target) || left-- <= 0) return whole;
            const imported = textAt(target, chain.at(-1)!, deps);
            if (imported === undefined) return whole;
            return `${before}${expand(imported.trim(), [...chain, target])}${rest}`;
          }),
        );
  return text.includes("@") ? expand(text, [path]) : text;
}

const IMPORT = /(^|\s)@([^\s@`]+)/gm;

function withoutPunctuation(written: string): readonly [name: string, rest: string] {
  const name = written.replace(/[.,;:!?)\]}'"]+$/, "");
  return [name, written.slice(name.length)];
}

function resolvePath(name: string, importer: string, home: string): string {
  if (name === "~" || name.startsWith("~/")) return resolve(home, name.slice(2));
  return resolve(dirname(importer), name);
}

function textAt(path: string, importer: string, { read, warn }: ImportDeps): string | undefined {
  try {
    return read(path);
  } catch (error) {
    if (error instanceof HostError) warn(importer, `@${path} is not imported: ${error.message}`);
    else if (codeOf(error) === undefined) throw error;
    else ignore(error, "words that begin with @ need not be files");
    return undefined;
  }
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const SPAN = /(`+)(?!`)[^]*?[^`]\1(?!`)/g;

/** Applies `change` to what is neither in a fenced block nor in a code span. */
function outsideOfCode(text: string, change: (plain: string) => string): string {
  let fence: string | undefined;
  const lines = text.split("\n").map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      return line;
    }
    if (mark !== undefined) {
      fence = mark;
      return line;
    }
    return line.includes("@") ? outsideOfSpans(line, change) : line;
  });
  return lines.join("\n");
}

function outsideOfSpans(line: string, change: (plain: string) => string): string {
  let out = "";
  let at = 0;
  for (const span of line.matchAll(SPAN)) {
    out += plainPart(line.slice(at, span.index), at, change) + span[0];
    at = span.index + span[0].length;
  }
  return out + plainPart(line.slice(at), at, change);
}

/** After a span a word does not stand at the beginning of its line. */
function plainPart(part: string, at: number, change: (plain: string) => string): string {
  return at === 0 ? change(part) : change(`.${part}`).slice(1);
}
