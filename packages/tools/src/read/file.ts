/** A file that was found, shown as what it is. */

import { ToolFailure, type ToolCall, type ToolOutput } from "@omp/agent";
import { documentKind, isArchiveName } from "@omp/host";
import { orFailure } from "../shared/failure.ts";
import type { Hosts } from "../shared/hosts.ts";
import { readArchive } from "./archive.ts";
import { binaryNotice, isDatabase } from "./binary.ts";
import { readConflicts } from "./conflicts.ts";
import { readDatabase } from "./database.ts";
import type { ReadDetails } from "./details.ts";
import { readDocument, readNotebook } from "./document.ts";
import { readImage } from "./image.ts";
import type { PageStyle } from "./page.ts";
import type { Target } from "./target.ts";
import { readText } from "./text.ts";

type FileHosts = Pick<
  Hosts,
  "files" | "sources" | "pictures" | "snapshots" | "editing" | "reading" | "conflicts"
>;

const HEAD_BYTES = 8192;
const DATABASE_NAME = /\.(?:sqlite3?|db3?)$/i;

export async function showFile(
  target: Target,
  { cwd, signal }: ToolCall,
  hosts: FileHosts,
  style: PageStyle,
): Promise<ToolOutput<ReadDetails>> {
  const { given, path, stat, selector, source } = target;
  const { files, sources, pictures, snapshots, editing, reading } = hosts;
  const isArchive = isArchiveName(path) && !selector.isRaw;
  if (isArchive) return readArchive(target, sources.archives, plain(style), signal);
  const head = await orFailure(files.readHead(path, HEAD_BYTES));
  const isLookedInto = DATABASE_NAME.test(path) && isDatabase(head) && !selector.isRaw;
  if (isLookedInto) return readDatabase(target, sources.databases, signal);
  if (target.inner !== undefined) throw notInside(target);
  if (selector.wantsConflicts) return readConflicts(target, files, hosts.conflicts);
  if (!selector.isRaw) {
    if (/\.ipynb$/i.test(path)) return readNotebook(target, files, plain(style));
    const kind = documentKind(path);
    const doors = { files, documents: sources.documents };
    if (kind) return readDocument(target, kind, doors, plain(style), signal);
    if (await pictures.isPicture(head)) return readImage(target, files, pictures);
    const notice = binaryNotice(head, { name: given, size: stat.size });
    const details: ReadDetails = { kind: "file", resolvedPath: path, meta: { source } };
    if (notice) return { content: [{ type: "text", text: notice }], details };
  }
  const summary = { ...reading.summarize, ...(reading.outline && { outline: reading.outline }) };
  const textHosts = { files, snapshots, showsAnchors: editing.showsAnchors, summary };
  return orFailure(readText(target, cwd, textHosts, style));
}

/** What is made of a file has no lines of its own, so they get no numbers. */
export function plain(style: PageStyle): PageStyle {
  return { ...style, isNumbered: false };
}

export function notInside({ given, inner = "" }: Target): ToolFailure {
  return new ToolFailure(`Path '${given}${inner}' not found`);
}
