/** The free-text form of a patch: `*** Begin Patch`, parts for files, `*** End Patch`. */

import { ToolFailure } from "@omp/agent";
import { parseHunks } from "./hunk.ts";
import type { PatchEntry } from "./plan.ts";

const PART = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** @throws ToolFailure that says what is missing */
export function parseEnvelope(input: string): readonly PatchEntry[] {
  const lines = input.replaceAll("\r\n", "\n").trim().split("\n");
  if (lines[0]?.trim() !== "*** Begin Patch") {
    throw new ToolFailure('The patch must begin with "*** Begin Patch".');
  }
  if (lines.at(-1)?.trim() !== "*** End Patch") {
    throw new ToolFailure('The patch must end with "*** End Patch". Send it whole.');
  }
  const entries: PatchEntry[] = [];
  const body = lines.slice(1, -1);
  for (let index = 0; index < body.length;) {
    const line = body[index]!;
    const [, kind, path] = PART.exec(line.trimEnd()) ?? [];
    if (kind === undefined || path === undefined) {
      if (line.trim() === "") {
        index++;
        continue;
      }
      throw new ToolFailure(
        `Line ${index + 2} is no part of a patch: ${line.slice(0, 80)}. Use "*** Add File: ", ` +
          '"*** Update File: " or "*** Delete File: ".',
      );
    }
    const end = body.findIndex((other, at) => at > index && PART.test(other.trimEnd()));
    const own = body.slice(index + 1, end === -1 ? undefined : end);
    add(entries, entryOf(kind, path.trim(), own));
    index = end === -1 ? body.length : end;
  }
  if (entries.length === 0) throw new ToolFailure("The patch has no files. Nothing was written.");
  return entries;
}

function entryOf(kind: string, path: string, lines: readonly string[]): PatchEntry {
  if (kind === "Delete") {
    const extra = lines.find((line) => line.trim() !== "");
    if (extra !== undefined) throw new ToolFailure(`Delete File ${path} takes no lines.`);
    return { op: "delete", path };
  }
  if (kind === "Add") return { op: "create", path, lines: addedLines(lines, path) };
  const [, rename] = MOVE.exec(lines[0]?.trimEnd() ?? "") ?? [];
  const hunks = parseHunks(rename === undefined ? lines : lines.slice(1), path);
  if (hunks.length === 0 && rename === undefined) {
    throw new ToolFailure(`Update File ${path} has no hunks. Nothing was written.`);
  }
  return { op: "update", path, rename: rename?.trim(), hunks };
}

function addedLines(lines: readonly string[], path: string): readonly string[] {
  const last = lines.findLastIndex((line) => line !== "");
  return lines.slice(0, last + 1).map((line) => {
    if (line.startsWith("+")) return line.slice(1);
    throw new ToolFailure(
      `Add File ${path}: every line must begin with "+"; got: ${line.slice(0, 80)}`,
    );
  });
}

/** Parts of one file are one: their hunks all speak of the file as it was. */
function add(entries: PatchEntry[], entry: PatchEntry): void {
  const index = entries.findIndex(({ path, op }) => path === entry.path && op === "update");
  const known = entries[index];
  if (entry.op !== "update" || known?.op !== "update") return void entries.push(entry);
  const hunks = [...known.hunks, ...entry.hunks].map((hunk, at) => ({ ...hunk, number: at + 1 }));
  entries[index] = { ...known, rename: entry.rename ?? known.rename, hunks };
}
