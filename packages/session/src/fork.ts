/** Files of sessions made of others: a copy of the whole, or of the way to one entry. */

import { closeSync, fsyncSync, unlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { syncFolder } from "@omp/std";
import { copyArtifacts } from "./artifacts.ts";
import type { SessionEntry, SessionHeader } from "./entry.ts";
import { headerEdit } from "./header-edit.ts";
import { sessionError } from "./io-error.ts";
import { headOf, lineOf, newHeader, type Doors } from "./line-text.ts";
import { sessionFileName } from "./location.ts";
import { rewritePlan, type Opened } from "./open.ts";
import { readOnlyError, type SessionAccess } from "./ownership.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { openSource } from "./read.ts";
import { createFile, writeAll } from "./rewrite.ts";
import { objectIn } from "./rows.ts";
import { labelsOf } from "./tree.ts";

/** The session that is copied. It stays as it is. */
export interface ForkSource {
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
  readonly path: string | undefined;
  readonly access: SessionAccess;
  /** Where it was read from. */
  readonly origin: Opened | undefined;
  /** The file at the path holds all of it, in the form we write. */
  readonly isPersisted: boolean;
  sync(): Promise<void>;
}

export interface ForkTarget extends Doors {
  readonly cwd: string;
  readonly folder: string | undefined;
}

/** A session in the making: with a path it is in a file, otherwise it is to be kept in memory. */
export interface Copied {
  readonly path?: string;
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
}

/** Everything, with a header that names where it came from. */
export async function forkOf(source: ForkSource, target: ForkTarget): Promise<Copied> {
  if (source.access.kind === "read-only" && source.access.because === "future-version")
    throw readOnlyError(source.path ?? "", source.access);
  await source.sync();
  const header = childHeader(source, target);
  const { entries } = source;
  return write({
    source,
    target,
    header,
    entries,
    fill: (to) => copyWhole(source, header, target, to),
  });
}

/** The way to an entry without its labels: those that are still in force are to be set again. */
export async function extractOf(
  source: ForkSource,
  branch: readonly SessionEntry[],
  target: ForkTarget,
): Promise<Copied & { readonly labels: ReadonlyMap<string, string> }> {
  const header = childHeader(source, target);
  const entries = rechained(branch.filter(({ type }) => type !== "label"));
  const labels = labelsOf(source.entries);
  const onTheWay = entries.flatMap(({ id }) => {
    const label = labels.get(id);
    return label === undefined ? [] : [[id, label] as const];
  });
  const fill = (to: number) => copyWay(source, header, entries, target, to);
  const copied = await write({ source, target, header, entries, fill });
  return { ...copied, labels: new Map(onTheWay) };
}

interface Writing {
  readonly source: ForkSource;
  readonly target: ForkTarget;
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
  fill(descriptor: number): void;
}

async function write({ source, target, header, entries, fill }: Writing): Promise<Copied> {
  if (target.folder === undefined) return { header, entries };
  const name = sessionFileName(Date.parse(header.timestamp), header.id);
  const path = join(resolve(target.folder), name);
  try {
    const changed = [dirname(path), ...makePrivateFolder(dirname(path))];
    const descriptor = createFile(path, (to) => {
      fill(to);
      fsyncSync(to);
    });
    closeSync(descriptor);
    syncOrRemove(path, changed);
  } catch (error) {
    throw sessionError("write", path, error);
  }
  if (source.path !== undefined) await copyArtifacts(source.path, path);
  return { path, header, entries };
}

/** What may not survive was not made. */
function syncOrRemove(path: string, folders: readonly string[]): void {
  try {
    for (const folder of folders) syncFolder(folder);
  } catch (error) {
    unlinkSync(path);
    throw error;
  }
}

function childHeader({ header }: ForkSource, target: ForkTarget): SessionHeader {
  const { id, timestamp, cwd } = newHeader(target.cwd, target);
  return { ...header, id, timestamp, cwd, parentSession: header.id };
}

/** Byte by byte where there is a file in our form; what is only in memory is written as it would have been. */
function copyWhole(
  source: ForkSource,
  header: SessionHeader,
  target: ForkTarget,
  to: number,
): void {
  const { origin } = source;
  const { id, timestamp, cwd, parentSession } = header;
  const edit = headerEdit((old) => ({ ...old, id, timestamp, cwd, parentSession }));
  if (source.isPersisted && source.path !== undefined) {
    const file = openSource(source.path);
    try {
      return file?.copy(to, { edit });
    } finally {
      file?.close();
    }
  }
  const { parsed } = origin ?? {};
  if (!parsed) return writeAll(to, Buffer.from(textOf(header, source.entries, target)));
  const isSound = parsed.headerLine !== undefined && !parsed.isOutdated;
  origin?.source?.copy(to, isSound ? { edit } : rewritePlan(parsed, header, target));
}

/** Lines that need no change keep their bytes. */
function copyWay(
  { origin }: ForkSource,
  header: SessionHeader,
  entries: readonly SessionEntry[],
  target: ForkTarget,
  to: number,
): void {
  const { source, parsed } = origin ?? {};
  const lines = new Map(parsed?.entries.map(({ id }, at) => [id, parsed.lines[at] ?? 0]));
  const isStored = ({ id }: SessionEntry) => lines.has(id);
  const first = entries.findIndex((entry) => !isStored(entry));
  const stored = first < 0 ? entries : entries.slice(0, first);
  const inOrder = stored.every(
    ({ id }, at) => at === 0 || lines.get(stored[at - 1]!.id)! < lines.get(id)!,
  );
  if (!source || !inOrder) return writeAll(to, Buffer.from(textOf(header, entries, target)));
  const wanted = new Map(stored.map((entry) => [lines.get(entry.id), entry]));
  source.copy(to, {
    head: headOf(header),
    edit: (line, bytes) => {
      const entry = wanted.get(line);
      if (!entry) return null;
      const { id, parentId } = objectIn(bytes.toString("utf8")) ?? {};
      const isSame = id === entry.id && parentId === entry.parentId;
      return isSame ? undefined : lineOf(entry, target.blobs).trimEnd();
    },
    tail: entries
      .slice(stored.length)
      .map((entry) => lineOf(entry, target.blobs))
      .join(""),
  });
}

function textOf(header: SessionHeader, entries: readonly SessionEntry[], { blobs }: Doors): string {
  return headOf(header) + entries.map((entry) => lineOf(entry, blobs)).join("");
}

/** Each follows the one before it: where one was left out, the chain closes. */
function rechained(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  return entries.map((entry, at) => {
    const parentId = at === 0 ? null : (entries[at - 1]?.id ?? null);
    return entry.parentId === parentId ? entry : { ...entry, parentId };
  });
}
