/** Looks for damage in a session file, and mends it with the original kept. */

import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder, UserError } from "@omp/std";
import { fieldsOf } from "./entry.ts";
import { idInName } from "./head.ts";
import { sessionError } from "./io-error.ts";
import { claim } from "./ownership.ts";
import type { LineProblem } from "./problem.ts";
import { readSessionFile, type ReadSession } from "./read.ts";
import { copyLines, replaceFileWith } from "./rewrite.ts";
import { SLOT_BYTES } from "./title-slot.ts";

export interface FileCheck {
  readonly path: string;
  readonly entries: number;
  readonly problems: readonly LineProblem[];
}

export interface FileRepair {
  /** The file as it was. */
  readonly backup: string;
  /** Lines of which nothing could be read; they are in the backup only. */
  readonly lostLines: number;
}

/** @throws UserError for a path that cannot be read */
export async function checkSession(path: string): Promise<FileCheck> {
  const { entries, problems, exists } = await readSessionFile(path);
  if (!exists) throw new UserError("file-not-found", `File not found: ${path}`);
  return { path, entries: entries.length, problems };
}

/** An entry without its parent is a root of the tree: there is nothing to mend. */
function isMendable({ kind }: LineProblem): boolean {
  return kind !== "missing-parent";
}

/**
 * Writes the file anew: sound lines byte for byte, of damaged ones what could be read. Undefined when
 * there is nothing to mend, or no session in the file to mend.
 * @throws UserError while another process writes the session
 */
export async function repairSession(path: string, suffix: string): Promise<FileRepair | undefined> {
  const lock = claim(path);
  if (lock.kind !== "held") {
    const why = lock.kind === "taken" ? "another process writes to it" : "it is protected";
    throw new UserError("busy", `Cannot mend ${path}: ${why}.`);
  }
  try {
    const read = await readSessionFile(path);
    if (!read.header || !read.problems.some(isMendable)) return undefined;
    return rewritten(path, read, `.${suffix}.bak`);
  } finally {
    lock.release();
  }
}

function rewritten(path: string, read: ReadSession, keepAs: string): FileRepair {
  const edits = editsOf(read);
  const header =
    read.headerLine === undefined
      ? JSON.stringify({ ...read.header, id: read.header?.id || idInName(path) })
      : undefined;
  try {
    const from = openSync(path, "r");
    try {
      // The slot stays the first line; the header that was missing follows it.
      if (header !== undefined && read.slotLine === 1) edits.set(1, `${slotOf(from)}\n${header}`);
      const head = header === undefined || read.slotLine === 1 ? "" : `${header}\n`;
      const fill = (to: number) => copyLines(from, to, { head, edit: (line) => edits.get(line) });
      closeSync(replaceFileWith(path, fill, { keepAs }));
      syncFolder(dirname(realpathSync(path)));
    } finally {
      closeSync(from);
    }
  } catch (error) {
    throw sessionError("write", path, error);
  }
  const lostLines = [...edits.values()].filter((edit) => edit === null).length;
  return { backup: path + keepAs, lostLines };
}

/** Line to what becomes of it: what could be read of it, or nothing. */
function editsOf({
  entries,
  lines,
  problems,
  isOutdated,
}: ReadSession): Map<number, string | null> {
  const byLine = Map.groupBy(entries.keys(), (at) => lines[at]!);
  const edits = new Map<number, string | null>();
  for (const { line, kind } of problems) {
    if (kind === "missing-parent" || kind === "no-header") continue;
    const found = byLine.get(line);
    if (!found) edits.set(line, null);
    // Lines of an older version have no ids of their own yet: migration reads them as they are.
    else if (!isOutdated)
      edits.set(line, found.map((at) => JSON.stringify(fieldsOf(entries[at]!))).join("\n"));
  }
  return edits;
}

function slotOf(descriptor: number): string {
  const bytes = Buffer.alloc(SLOT_BYTES - 1);
  return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0));
}
