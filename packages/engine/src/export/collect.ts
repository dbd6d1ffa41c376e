/** Everything that belongs to a session on disk: its entries with their pictures, the transcripts of its subagents. */

import { readSessionFile, restoredEntry, type BlobStore } from "@omp/session";
import { codeOf, ignore, UserError } from "@omp/std";
import fs from "node:fs";
import { join } from "node:path";
import type { SessionContent } from "./data.ts";

/** Subagents may start subagents; deeper than this nobody looks. */
const MAX_DEPTH = 4;

/** @throws UserError when there is no session at the path */
export async function readSession(path: string, blobs: BlobStore): Promise<SessionContent> {
  const { exists, header, entries } = await readSessionFile(path);
  if (!exists) throw new UserError("file-not-found", `File not found: ${path}`);
  if (!header) throw new UserError("session", `Not a session file: ${path}`);
  return withPictures({ header, entries, leafId: entries.at(-1)?.id ?? null }, blobs);
}

/** Pictures that stand outside of the file are put back in. */
export function withPictures(content: SessionContent, blobs: BlobStore): SessionContent {
  return { ...content, entries: content.entries.map((entry) => restoredEntry(entry, blobs)) };
}

/** By name: the path below the session's folder without its ending. */
export async function readSubagents(
  sessionFile: string,
  blobs: BlobStore,
): Promise<Readonly<Record<string, SessionContent>>> {
  const folder = sessionFile.replace(/\.jsonl$/, "");
  const found: [string, SessionContent][] = [];
  for (const name of await transcriptsIn(folder)) {
    try {
      found.push([name, await readSession(join(folder, `${name}.jsonl`), blobs)]);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      ignore(
        error,
        "a transcript that cannot be read must not keep the session from being exported",
      );
    }
  }
  return Object.fromEntries(found);
}

async function transcriptsIn(folder: string, prefix = "", depth = 0): Promise<string[]> {
  if (depth > MAX_DEPTH) return [];
  const names: string[] = [];
  for (const item of await listed(join(folder, prefix))) {
    const name = prefix === "" ? item.name : `${prefix}/${item.name}`;
    if (item.isDirectory()) names.push(...(await transcriptsIn(folder, name, depth + 1)));
    else if (item.isFile() && name.endsWith(".jsonl")) names.push(name.slice(0, -".jsonl".length));
  }
  return names;
}

async function listed(folder: string): Promise<fs.Dirent[]> {
  try {
    const items = await fs.promises.readdir(folder, { withFileTypes: true });
    return items.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw error;
  }
}
