/** Runs a read: finds what the path means, then shows it as what it is. */

import { ToolFailure, type ToolCall, type ToolOutput, type ToolRun } from "@omp/agent";
import { documentKind, isArchiveName } from "@omp/host";
import { orFailure } from "../shared/failure.ts";
import type { Hosts } from "../shared/hosts.ts";
import { readArchive } from "./archive.ts";
import { binaryNotice, isDatabase } from "./binary.ts";
import { readConflicts } from "./conflicts.ts";
import { readDatabase } from "./database.ts";
import type { ReadDetails } from "./details.ts";
import { readDirectory } from "./directory.ts";
import { readDocument, readNotebook } from "./document.ts";
import { readImage } from "./image.ts";
import { locate } from "./locate.ts";
import { locateElsewhere } from "./elsewhere.ts";
import type { PageStyle } from "./page.ts";
import { resourceAt, resourceTarget, resourceText, wholeStyle } from "./resource.ts";
import type { Target } from "./target.ts";
import { readText } from "./text.ts";
import { readWeb } from "./web.ts";
import { webAddress } from "./web-address.ts";

export type ReadNeeds =
  | "files"
  | "resources"
  | "snapshots"
  | "editing"
  | "sources"
  | "pictures"
  | "reading"
  | "conflicts"
  | "artifacts"
  | "scans";
type ReadHosts = Pick<Hosts, ReadNeeds>;
type Output = Promise<ToolOutput<ReadDetails>>;

const HEAD_BYTES = 8192;
const DATABASE_NAME = /\.(?:sqlite3?|db3?)$/i;

export const run: ToolRun<{ path: string }, ReadHosts> = async ({ path }, call, hosts) => {
  const { files, resources, reading } = hosts;
  const style = { ...reading, isNumbered: reading.lineNumbers };
  const address = webAddress(path);
  if (address) return readWeb(address, hosts, plain(style), call.signal);
  if (resources.isInternal(path)) {
    const found = await resourceAt(path, resources, call.signal);
    const behind = found.resource.path;
    if (behind === undefined) return resourceText(found, style);
    return show(await resourceTarget(found, behind, files), call, hosts, style);
  }
  const found = await orFailure(locate(path, call.cwd, files));
  if (found) return show(found, call, hosts, style);
  const targets = await locateElsewhere(path, call, hosts);
  const outputs: ToolOutput<ReadDetails>[] = [];
  for (const target of targets) outputs.push(await show(target, call, hosts, style));
  return joined(targets, outputs);
};

async function show(target: Target, call: ToolCall, hosts: ReadHosts, style: PageStyle): Output {
  switch (target.stat.kind) {
    case "directory":
      if (target.inner !== undefined) throw notInside(target);
      return orFailure(readDirectory(target, hosts.files));
    case "file":
      return showFile(target, call, hosts, wholeStyle(style, target));
    case "other":
      throw new ToolFailure(`'${target.given}' is neither a file nor a directory.`);
  }
}

async function showFile(
  target: Target,
  { cwd, signal }: ToolCall,
  hosts: ReadHosts,
  style: PageStyle,
): Output {
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
function plain(style: PageStyle): PageStyle {
  return { ...style, isNumbered: false };
}

function notInside({ given, inner = "" }: Target): ToolFailure {
  return new ToolFailure(`Path '${given}${inner}' not found`);
}

function joined(
  targets: readonly Target[],
  outputs: readonly ToolOutput<ReadDetails>[],
): ToolOutput {
  const [first] = outputs;
  if (outputs.length === 1) {
    const notice = targets[0]?.notice;
    const content = first!.content;
    return notice === undefined
      ? first!
      : { ...first, content: [{ type: "text", text: notice }, ...content] };
  }
  const content = outputs.flatMap((output) => output.content);
  const parts = outputs.map(({ details }) => details);
  return { content, details: { kind: "file", parts, meta: first?.details?.meta } };
}
