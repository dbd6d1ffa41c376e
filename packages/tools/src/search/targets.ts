/** What the paths of a search mean. */

import { ToolFailure, type Resources } from "@omp/agent";
import type { Files, Sources } from "@omp/host";
import { globOf, lookUp, type Located } from "../shared/path-input.ts";
import { memberIn, memberText } from "./archive.ts";
import { separated } from "./entries.ts";

export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** A file, or what an internal URL stands for. */
export interface FileTarget {
  readonly kind: "file";
  /** What the model is told it is; undefined for a plain file. */
  readonly name?: string;
  readonly path: string;
  readonly size: number;
  readonly span?: LineSpan;
}

/** A text that is in no file. */
export interface TextTarget {
  readonly kind: "text";
  readonly name: string;
  readonly text: string;
  readonly span?: LineSpan;
}

export interface FolderTarget {
  readonly kind: "folder";
  readonly path: string;
  /** Counted from the folder. */
  readonly pattern?: string;
  readonly nodeModules: boolean;
}

export type Target = FileTarget | TextTarget | FolderTarget;

/** A member of an archive that has no text. */
interface Unreadable {
  readonly kind: "unreadable";
  readonly name: string;
  readonly why: string;
}

export interface Targets {
  readonly found: readonly Target[];
  readonly missing: readonly string[];
  /** Members of archives that have no text, with the reason. */
  readonly unreadable: readonly string[];
}

export interface TargetDoors {
  readonly cwd: string;
  readonly files: Files;
  readonly resources: Resources;
  readonly sources: Pick<Sources, "archives">;
  readonly signal: AbortSignal;
}

export async function targetsOf(given: readonly string[], doors: TargetDoors): Promise<Targets> {
  const written = await separated(given, async (entry) => {
    return isUrl(entry) || (await located(entry, doors)) !== undefined;
  });
  const entries = written.length > 0 ? written : ["."];
  const found: Target[] = [];
  const missing: string[] = [];
  const unreadable: string[] = [];
  for (const entry of entries) {
    const target = await targetOf(entry, doors);
    if (!target) missing.push(entry);
    else if (target.kind === "unreadable") unreadable.push(`${target.name} (${target.why})`);
    else found.push(target);
  }
  if (found.length > 0) return { found, missing, unreadable };
  if (unreadable.length === 0) throw new ToolFailure(`Path not found: ${missing.join(", ")}`);
  throw new ToolFailure(`Cannot search archive member(s): ${unreadable.join(", ")}`);
}

/** A name that exists wins over a glob or a range that it could be read as. */
async function targetOf(
  entry: string,
  doors: TargetDoors,
): Promise<Target | Unreadable | undefined> {
  if (doors.resources.isInternal(entry)) return resourceOf(entry, doors);
  if (isUrl(entry)) {
    throw new ToolFailure(`Cannot search ${entry}: use read to fetch it, then search what it says`);
  }
  const { cwd, files } = doors;
  const nodeModules = entry.split("/").includes("node_modules");
  const literal = await lookUp(entry, cwd, files);
  if (literal) return plainTarget(entry, literal, nodeModules);
  const member = await memberTarget(entry, doors);
  if (member) return member;
  const ranged = rangeOf(entry);
  if (ranged) return rangedTarget(ranged, doors);
  const glob = globOf(entry);
  const base = glob && (await lookUp(glob.base || ".", cwd, files));
  if (!glob || !base) return undefined;
  if (base.stat.kind !== "directory") {
    throw new ToolFailure(`Path is not a directory: ${glob.base}`);
  }
  return { kind: "folder", path: base.path, pattern: glob.pattern, nodeModules };
}

function plainTarget(entry: string, { path, stat }: Located, nodeModules: boolean): Target {
  switch (stat.kind) {
    case "directory":
      return { kind: "folder", path, nodeModules };
    case "file":
      return { kind: "file", path, size: stat.size };
    case "other":
      throw new ToolFailure(`'${entry}' is neither a file nor a directory.`);
  }
}

/** Undefined when no archive is named, or there is none of that name. */
async function memberTarget(
  entry: string,
  { cwd, files, sources, signal }: TargetDoors,
): Promise<TextTarget | Unreadable | undefined> {
  const { path: name, span } = rangeOf(entry) ?? { path: entry };
  const named = memberIn(name);
  const archive = named && (await lookUp(named.archive, cwd, files));
  if (!named || archive?.stat.kind !== "file") return undefined;
  const found = await memberText({ ...named, archive: archive.path }, sources.archives, signal);
  return { ...found, name, ...(span ? { span } : {}) };
}

async function rangedTarget(
  { path: given, span }: { path: string; span: LineSpan },
  { cwd, files }: TargetDoors,
): Promise<Target> {
  const found = await lookUp(given, cwd, files);
  if (found?.stat.kind === "file") {
    return { kind: "file", path: found.path, size: found.stat.size, span };
  }
  if (found)
    throw new ToolFailure(`Line-range selector requires a single file: ${given} is a directory`);
  if (globOf(given)) {
    throw new ToolFailure(`Line-range selector requires a single file, not a glob: ${given}`);
  }
  throw new ToolFailure(`Path not found for line-range selector: ${given}`);
}

async function resourceOf(url: string, { resources, files, signal }: TargetDoors): Promise<Target> {
  if (/[*?[{]/.test(url)) {
    throw new ToolFailure(`Glob patterns are not supported for internal URLs: ${url}`);
  }
  const { path: name, span } = rangeOf(url) ?? { path: url };
  const resource = await resources.find(name, signal);
  const spanned = span ? { span } : {};
  if (resource.path === undefined) {
    return { kind: "text", name, text: await resource.text(), ...spanned };
  }
  const { size } = await files.stat(resource.path);
  return { kind: "file", name, path: resource.path, size, ...spanned };
}

/** Whether something is at the path, or where its glob starts, or at what stands before its range. */
async function located(entry: string, { cwd, files }: TargetDoors): Promise<Located | undefined> {
  const ranged = rangeOf(entry)?.path ?? entry;
  const bare = memberIn(ranged)?.archive ?? ranged;
  const literal = (await lookUp(entry, cwd, files)) ?? (await lookUp(bare, cwd, files));
  const glob = globOf(bare);
  // A list of paths is no glob that starts at the working directory.
  return (
    literal ?? (glob && !/[;,\s]/.test(bare) ? lookUp(glob.base || ".", cwd, files) : undefined)
  );
}

const RANGE = /^(.+):L?(\d+)(?:(?:-|\.\.)L?(\d+)|\+(\d+)|(-))?$/s;

function rangeOf(entry: string): { path: string; span: LineSpan } | undefined {
  const [, path, start, end, count, open] = RANGE.exec(entry) ?? [];
  if (path === undefined) return undefined;
  const from = Number(start);
  if (open !== undefined) return { path, span: { from, to: Number.POSITIVE_INFINITY } };
  const to = end === undefined ? from + Number(count ?? 1) - 1 : Number(end);
  if (from === 0 || to < from) {
    throw new ToolFailure(`Invalid line range in ${entry}: lines count from 1, the end comes last`);
  }
  return { path, span: { from, to } };
}

function isUrl(entry: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(entry) && !entry.startsWith("file://");
}
