/** The edit language of `hashline`: sections of a file each, with operations on lines and their payload. */

import { ToolFailure } from "@omp/agent";
import { parseHeader } from "../../shared/anchored.ts";
import { parsePlace, parseRange, type Anchor } from "./anchor.ts";

/** In place of `count` lines from the index `at` on come `lines`. */
export interface Operation {
  /** Of the input, counted from 1. */
  readonly inputLine: number;
  readonly at: number;
  readonly count: number;
  readonly lines: readonly string[];
  /** Anchors that name lines; none for the ends of the file. */
  readonly anchors: readonly Anchor[];
  /** At an end of the file, whatever its lines are. */
  readonly edge?: "BOF" | "EOF";
}

export interface Section {
  readonly path: string;
  readonly tag: string | undefined;
  /** The form of old transcripts: each anchor brings its own hash. */
  readonly isLegacy: boolean;
  readonly operations: readonly Operation[];
}

export interface ParsedInput {
  readonly sections: readonly Section[];
  readonly warnings: readonly string[];
}

interface OpenSection extends Section {
  readonly operations: Operation[];
}

const ABORTED =
  'The input ends with "*** Abort": the operations before it were applied, those after it were not.';

/** @throws ToolFailure that names the line of the input */
export function parseInput(
  input: string,
  { sign, path }: { readonly sign: string; readonly path?: string | undefined },
): ParsedInput {
  const lines = input.replaceAll("\r\n", "\n").split("\n");
  const sections: OpenSection[] = [];
  const warnings: string[] = [];
  if (path !== undefined && !startsWithHeader(lines)) sections.push(sectionOf({ path }));
  for (let index = 0; index < lines.length;) {
    const line = lines[index]!;
    if (isEnd(line)) {
      if (line.startsWith("*** Abort")) warnings.push(ABORTED);
      break;
    }
    const header = sectionHeader(line);
    const section = sections.at(-1);
    if (header) sections.push(header);
    else if (line.trim() !== "" && !line.startsWith("*** Begin Patch")) {
      if (!section) throw noHeader(line);
      const { operation, next } = parseOperation(lines, index, { sign, section });
      section.operations.push(operation);
      index = next;
      continue;
    }
    index++;
  }
  if (sections.length === 0) throw noHeader(lines.find((line) => line.trim() !== "") ?? "");
  return { sections, warnings };
}

function isEnd(line: string): boolean {
  return line.startsWith("*** End Patch") || line.startsWith("*** Abort");
}

function startsWithHeader(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("*** Begin Patch"));
  return first !== undefined && sectionHeader(first) !== undefined;
}

function sectionHeader(line: string): OpenSection | undefined {
  const header = parseHeader(line);
  const legacy = line.startsWith("@") && !line.startsWith("@@") ? line.slice(1).trim() : undefined;
  if (header) return sectionOf({ ...header, sign: "¶" });
  return legacy === undefined ? undefined : sectionOf({ path: legacy, isLegacy: true, sign: "@" });
}

function sectionOf({
  path,
  tag,
  isLegacy = false,
  sign = "¶",
}: Partial<Section> & { readonly sign?: string }): OpenSection {
  if (!path) throw new ToolFailure(`Input header "${sign}" is empty; provide a file path.`);
  return { path, tag, isLegacy, operations: [] };
}

function noHeader(line: string): ToolFailure {
  return new ToolFailure(
    `input must begin with "¶PATH#TAG" on the first non-blank line; got: ${line.slice(0, 80)} ` +
      'Example: "¶src/foo.ts#9F3C" then edit ops.',
  );
}

function parseOperation(
  lines: readonly string[],
  index: number,
  { sign, section }: { readonly sign: string; readonly section: Section },
): { operation: Operation; next: number } {
  const line = lines[index]!;
  const inputLine = index + 1;
  const fail = (text: string) => new ToolFailure(`line ${inputLine}: ${text}`);
  if (line.startsWith(sign)) throw fail("payload line has no preceding +, <, or = operation.");
  const [, verb, rest = ""] = /^([+<=-])[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
  if (verb === undefined) {
    throw fail("unrecognized op. Use < ANCHOR..., + ANCHOR..., - A..B..., = A..B...");
  }
  const { isLegacy } = section;
  if (verb === "-") {
    const range = parseRange(rest, isLegacy, fail);
    return { operation: removal(inputLine, range, []), next: index + 1 };
  }
  const { payload, next } = payloadAfter(lines, index + 1, sign);
  if (verb === "=") {
    const range = parseRange(rest, isLegacy, fail);
    const replacement = payload.length === 0 ? [""] : payload;
    return { operation: removal(inputLine, range, replacement), next };
  }
  const place = parsePlace(rest, isLegacy, fail);
  if (payload.length === 0) {
    throw fail(`+ and < operations require at least one ${sign}TEXT payload line.`);
  }
  return { operation: insertion(inputLine, verb, place, payload), next };
}

function payloadAfter(lines: readonly string[], start: number, sign: string) {
  const payload: string[] = [];
  let next = start;
  for (; lines[next]?.startsWith(sign); next++) payload.push(lines[next]!.slice(sign.length));
  // What looks like a forgotten sign must not be lost in silence.
  let after = next;
  while (after < lines.length && lines[after]!.trim() === "") after++;
  if (after > next && payload.length > 0 && lines[after]?.startsWith(sign)) {
    throw new ToolFailure(
      `line ${next + 1}: blank line inside the payload; write "${sign}" for an empty line.`,
    );
  }
  return { payload, next };
}

function removal(
  inputLine: number,
  [first, last]: readonly [Anchor, Anchor],
  lines: readonly string[],
): Operation {
  const count = last.line - first.line + 1;
  return { inputLine, at: first.line - 1, count, lines, anchors: [first, last] };
}

function insertion(
  inputLine: number,
  verb: string,
  place: Anchor | "BOF" | "EOF",
  lines: readonly string[],
): Operation {
  const bare = { inputLine, count: 0, lines };
  if (place === "BOF") return { ...bare, at: 0, anchors: [], edge: place };
  if (place === "EOF") return { ...bare, at: Number.MAX_SAFE_INTEGER, anchors: [], edge: place };
  return { ...bare, at: verb === "+" ? place.line : place.line - 1, anchors: [place] };
}
