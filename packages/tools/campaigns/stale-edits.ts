/** Files that others change after they were shown: an edit lands on the lines it was meant for, or not at all. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolFailure } from "@omp/agent";
import { createFiles } from "@omp/host";
import { messageOf, type Random } from "@omp/std";
import type { Campaign } from "@omp/testkit";
import { textOf } from "../src/edit/file-text.ts";
import { parseInput } from "../src/edit/hashline/parse.ts";
import { planSections } from "../src/edit/hashline/plan.ts";
import { createNoOps, createSnapshots } from "../src/index.ts";
import {
  applyReference,
  below,
  operationLines,
  pick,
  randomOperations,
  type ReferenceOperation,
} from "../test/reference-edits.ts";
import { ANCHORED } from "../test/workbench.ts";

/** A line that knows which line of the shown file it is. */
interface Tracked {
  readonly text: string;
  readonly origin: number | undefined;
}

const CONTEXT = 3;

const campaign: Campaign = {
  name: "stale-edits",
  describe: "No edit of a file that changed since it was shown lands on other lines in silence.",
  fullCount: 100_000,
  async run({ count, random, report }) {
    const cwd = mkdtempSync(join(tmpdir(), "omp-stale-"));
    try {
      for (let index = 0; index < count; index++) {
        const why = await faultOf(cwd, random).catch(messageOf);
        const name = `${index}`;
        report(
          why === undefined
            ? { case: name, result: "passed" }
            : { case: name, result: "failed", why },
        );
      }
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  },
};

export default campaign;

async function faultOf(cwd: string, random: Random): Promise<string | undefined> {
  const shownLines = randomLines(random);
  const now = changedBehind(shownLines, random);
  const operations = randomOperations(shownLines.length, random);
  const path = join(cwd, "f");
  const snapshots = createSnapshots();
  const tag = snapshots.record(path, `${shownLines.join("\n")}\n`);
  const content = now.map(({ text }) => `${text}\n`).join("");
  writeFileSync(path, content);
  const input = [`¶f#${tag}`, ...operationLines(operations, random)].join("\n");
  const no = () => Promise.reject(new Error("there are no resources"));
  const hosts = {
    files: createFiles({ home: cwd }),
    snapshots,
    editing: { ...ANCHORED, noOps: createNoOps() },
    resources: { isInternal: () => false, find: no, writable: no },
  };
  const call = { id: "1", cwd, signal: new AbortController().signal, report() {} };
  let result: string;
  try {
    const [planned] = await planSections(parseInput(input, { sign: "~" }).sections, call, hosts);
    result = textOf(planned!.after!);
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
  const wanted = [
    placedBy(operations, (operation, from) => originalPlace(operation, from, now)),
    placedBy(operations, (operation, from) => likePlace(operation, from, shownLines, now)),
  ].map((meant) => meant && applyReference(content, meant));
  if (wanted.includes(result)) return undefined;
  return JSON.stringify({ shownLines, content, input, result, wanted });
}

/** The operations where their lines are now; undefined when there is no such place for one of them. */
function placedBy(
  operations: readonly ReferenceOperation[],
  placeOf: (operation: ReferenceOperation, from: number) => number | undefined,
): readonly ReferenceOperation[] | undefined {
  const placed: ReferenceOperation[] = [];
  for (const operation of operations) {
    const { from, to } = operation;
    if (typeof from === "string") {
      placed.push(operation);
      continue;
    }
    const place = placeOf(operation, from);
    if (place === undefined) return undefined;
    const end = to === undefined ? {} : { to: place + to - from };
    placed.push({ ...operation, from: place, ...end });
  }
  return placed;
}

function originalPlace(
  { to }: ReferenceOperation,
  from: number,
  now: readonly Tracked[],
): number | undefined {
  const length = (to ?? from) - from + 1;
  const index = now.findIndex((_, at) => {
    const run = now.slice(at, at + length);
    return run.length === length && run.every(({ origin }, step) => origin === from + step);
  });
  return index === -1 ? undefined : index + 1;
}

/**
 * Equal lines that change places leave no trace. So the lines may also be others of the same text: among all
 * the neighbours that were shown, nowhere else in the file, and without there being more of them than before.
 */
function likePlace(
  { verb, to }: ReferenceOperation,
  from: number,
  shownLines: readonly string[],
  now: readonly Tracked[],
): number | undefined {
  const texts = now.map(({ text }) => text.trimEnd());
  const named = shownLines.slice(from - 1, to ?? from);
  // Brackets and blank lines come and go everywhere: of these only those beside the same lines count.
  const isTelling = named.some((line) => line.startsWith("word"));
  const own = isTelling ? named : shownLines.slice(Math.max(0, from - 2), (to ?? from) + 1);
  if (placesOf(own, texts).length > placesOf(own, shownLines).length) return undefined;
  const at = verb === "+" ? from : from - 1;
  const count = to === undefined ? 0 : to - from + 1;
  const start = Math.max(0, at - CONTEXT);
  const places = placesOf(shownLines.slice(start, at + count + CONTEXT), texts);
  return places.length === 1 ? places[0]! + from - start : undefined;
}

function placesOf(block: readonly string[], lines: readonly string[]): readonly number[] {
  return lines.flatMap((_, at) =>
    block.every((line, step) => lines[at + step] === line) ? [at] : [],
  );
}

function randomLines(random: Random): string[] {
  const words = pick([3, 12, 200, 5000], random);
  const lineCount = 1 + below(random.next() < 0.2 ? 60 : 25, random);
  return Array.from({ length: lineCount }, () => randomLine(words, random));
}

function randomLine(words: number, random: Random): string {
  return random.next() < 0.2 ? pick(["", "}", "  }", "{"], random) : `word ${below(words, random)}`;
}

/** What a person or a program does to a file: one to four changes. */
function changedBehind(lines: readonly string[], random: Random): readonly Tracked[] {
  let now: Tracked[] = lines.map((text, index) => ({ text, origin: index + 1 }));
  for (let left = 1 + below(4, random); left > 0; left--) now = changedOnce(now, random);
  const isAsShown =
    now.length === lines.length && now.every(({ text }, i) => isLike(text, lines[i]!));
  return isAsShown ? now.map((line, i) => ({ ...line, origin: i + 1 })) : now;
}

function isLike(a: string, b: string): boolean {
  return a.trimEnd() === b.trimEnd();
}

function changedOnce(lines: readonly Tracked[], random: Random): Tracked[] {
  const at = below(lines.length + 1, random);
  const size = 1 + below(random.next() < 0.3 ? 12 : 3, random);
  const block = lines.slice(at, at + size);
  const rest = [...lines.slice(0, at), ...lines.slice(at + size)];
  const fresh = Array.from({ length: size }, () => newLine(lines, random));
  switch (pick(["insert", "delete", "change", "copy", "move", "blanks"] as const, random)) {
    case "insert":
      return lines.toSpliced(at, 0, ...fresh);
    case "delete":
      return rest;
    case "change":
      return rest.toSpliced(at, 0, ...fresh.slice(0, Math.max(1, block.length)));
    case "copy":
      return lines.toSpliced(below(lines.length + 1, random), 0, ...block.map(copyOf));
    case "move":
      return rest.toSpliced(below(rest.length + 1, random), 0, ...block);
    case "blanks":
      return lines.map((line) => (random.next() < 0.3 ? { ...line, text: `${line.text} ` } : line));
  }
}

function copyOf({ text }: Tracked): Tracked {
  return { text, origin: undefined };
}

/** Often one that is there already: the hard case. */
function newLine(lines: readonly Tracked[], random: Random): Tracked {
  const known = lines.length > 0 && random.next() < 0.5 ? pick(lines, random).text : undefined;
  return { text: known ?? randomLine(pick([3, 5000], random), random), origin: undefined };
}
