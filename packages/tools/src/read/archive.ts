/** Archives: what is in them, and the text of single members. */

import { textOutput, ToolFailure, type ToolOutput } from "@omp/agent";
import { HostError, type Archives } from "@omp/host";
import { orFailure } from "../shared/failure.ts";
import { isText } from "./binary.ts";
import { pageDetails, type ReadDetails } from "./details.ts";
import { textLines } from "./lines.ts";
import { renderPage, type PageStyle } from "./page.ts";
import { sizeOf } from "./quantity.ts";
import { splitSelector } from "./selector.ts";
import type { Target } from "./target.ts";

type Member = Awaited<ReturnType<Archives["list"]>>["members"][number];

const MAX_LISTED = 500;
const MAX_MEMBER_BYTES = 64 * 1024 * 1024;

export async function readArchive(
  target: Target,
  archives: Archives,
  style: PageStyle,
  signal: AbortSignal,
): Promise<ToolOutput<ReadDetails>> {
  const inner = (target.inner ?? "").replace(/^:/, "");
  const { members, isCut } = await orFailure(archives.list(target.path, signal));
  const { name, selector } = nameIn(inner, target, members);
  if (members.some((member) => member.path === name && member.kind === "file")) {
    const bytes = await content(target, name, archives, signal);
    return memberText(bytes, name, { ...target, selector }, style);
  }
  const isFolder = name === "" || members.some(({ path }) => path.startsWith(`${name}/`));
  const isEmptyFolder = members.some(({ path, kind }) => path === name && kind === "directory");
  if (!isFolder && !isEmptyFolder) {
    const seen = isCut ? " (only its beginning was looked at)" : "";
    throw new ToolFailure(`Path '${target.given}:${inner}' not found inside archive${seen}`);
  }
  return listing({ ...target, selector }, childrenOf(name, members), isCut);
}

/** A member that has the very name wins over a selector that the name could be read as. */
function nameIn(inner: string, { selector }: Target, members: readonly Member[]) {
  const whole = normalized(inner);
  if (inner === "" || members.some(({ path }) => path === whole)) return { name: whole, selector };
  // Alone behind the archive a selector would have been taken off before.
  const split = splitSelector(inner);
  return split
    ? { name: normalized(split.path), selector: split.selector }
    : { name: whole, selector };
}

/** Unlike any member where it leads out. */
function normalized(inner: string): string {
  const parts = inner.replaceAll("\\", "/").split("/");
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}

async function content(
  { path }: Target,
  member: string,
  archives: Archives,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const request = { member, maxBytes: MAX_MEMBER_BYTES };
  const bytes = await orFailure(archives.read(path, request, signal));
  if (!bytes) throw new HostError("not-found", `${path}:${member}: no such file`);
  return bytes;
}

async function memberText(
  bytes: Uint8Array,
  name: string,
  { given, selector, source, path }: Target,
  style: PageStyle,
): Promise<ToolOutput<ReadDetails>> {
  const about = { kind: "file", resolvedPath: path } as const;
  const from = { ...source, value: `${source.value}:${name}` };
  if (!isText(bytes, { isOpen: false })) {
    const notice = `[Cannot read binary archive entry '${given}:${name}' (${sizeOf(bytes.length)})]`;
    return textOutput(notice, { ...about, meta: { source: from } });
  }
  const text = new TextDecoder("utf-8", { ignoreBOM: selector.isRaw }).decode(bytes);
  const page = await renderPage(selector, textLines(text), style);
  return textOutput(page.text, {
    ...about,
    ...pageDetails(page, from, { totalBytes: bytes.length }),
  });
}

async function listing(
  { given, path, selector, source }: Target,
  children: readonly string[],
  isCut: boolean,
): Promise<ToolOutput<ReadDetails>> {
  if (selector.spans.length > 1) {
    throw new ToolFailure("An archive listing takes one range of lines, not several.");
  }
  const about = { kind: "file", isDirectory: true, resolvedPath: path } as const;
  const more = isCut ? `\n\n[${given} is too large to look at as a whole: there may be more]` : "";
  if (children.length === 0) {
    return textOutput(`(empty archive directory)${more}`, { ...about, meta: { source } });
  }
  const style = { defaultLimit: MAX_LISTED, maxColumns: 0, isNumbered: false };
  const page = await renderPage(
    { ...selector, isRaw: true },
    textLines(children.join("\n")),
    style,
  );
  const limits = page.shown?.nextLine
    ? { shown: page.shown.to, total: children.length }
    : undefined;
  const details = pageDetails(page, source);
  return textOutput(page.text + more, {
    ...about,
    ...details,
    meta: { ...details.meta, ...(limits && { limits }) },
  });
}

/** What is directly in a folder, also where the archive names only what is deeper. */
function childrenOf(folder: string, members: readonly Member[]): readonly string[] {
  const start = folder === "" ? "" : `${folder}/`;
  const sizes = new Map<string, number | undefined>();
  for (const { path, kind, size } of members) {
    if (!path.startsWith(start)) continue;
    const [name = "", ...deeper] = path.slice(start.length).split("/");
    if (name === "") continue;
    const isFolder = deeper.length > 0 || kind === "directory";
    sizes.set(isFolder ? `${name}/` : name, isFolder ? undefined : size);
  }
  return [...sizes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, size]) => (size ? `${name} (${sizeOf(size)})` : name));
}
