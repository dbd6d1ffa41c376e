/** Which session is meant by what a person typed: a path, or the beginning of an id. */

import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "@omp/std";
import { findSessionFiles } from "./found-file.ts";
import { idInName, type SessionHead } from "./head.ts";
import { headOfFile } from "./list.ts";
import { isSameFolder } from "./location.ts";

export interface SessionScope {
  readonly cwd: string;
  /** Where sessions of this folder may be. */
  readonly folders: readonly string[];
  /** The folders of other projects; none where the person named a folder for sessions. */
  readonly elsewhere: readonly string[];
}

export interface ResolvedSession {
  readonly path: string;
  /** Set for a session of another project, found by its id: where it belongs. */
  readonly otherProject?: string;
}

/** @throws UserError when nothing or more than one session is meant */
export function resolveSession(value: string, scope: SessionScope): ResolvedSession {
  if (looksLikeSessionPath(value)) return { path: pathOf(value, scope) };
  const here = candidatesIn(scope.folders).filter((one) => isHere(one, scope));
  const local = onlyMatch(value, here);
  if (local) return { path: local.path };
  const all = candidatesIn([...new Set([...scope.folders, ...scope.elsewhere])]);
  const found = onlyMatch(value, all);
  if (found) return { path: found.path, otherProject: found.head().cwd };
  throw new UserError("session", `Session "${value}" not found.`);
}

/** A path names a file whatever it holds; anything else is looked up as an id. */
function looksLikeSessionPath(value: string): boolean {
  return /[/\\]/.test(value) || value.endsWith(".jsonl");
}

/** A name alone may be copied from a list: then the file is where sessions are. */
function pathOf(value: string, { cwd, folders, elsewhere }: SessionScope): string {
  const path = resolve(cwd, value);
  if (/[/\\]/.test(value) || existsSync(path)) return path;
  const known = [...folders, ...elsewhere].map((folder) => join(folder, value));
  return known.find((file) => existsSync(file)) ?? path;
}

interface Candidate {
  readonly path: string;
  /** Read when it is asked for. */
  head(): SessionHead;
}

function candidatesIn(folders: readonly string[]): Candidate[] {
  return findSessionFiles(folders).map(({ path }) => {
    let head: SessionHead | undefined;
    return { path, head: () => (head ??= headOfFile(path)) };
  });
}

/** Two folders can have one name for their sessions. Where the person named a folder, all of it is here. */
function isHere({ path, head }: Candidate, { cwd, folders, elsewhere }: SessionScope): boolean {
  if (elsewhere.length === 0 && folders.includes(dirname(path))) return true;
  const { cwd: own } = head();
  return own === "" || isSameFolder(own, cwd);
}

/** A whole id stands above beginnings. File names nearly always have the id, and cost no reading. */
function onlyMatch(value: string, candidates: readonly Candidate[]): Candidate | undefined {
  const wanted = value.toLowerCase();
  // Everything begins with nothing.
  if (wanted === "") return undefined;
  const byName = matches(wanted, candidates, ({ path }) => [idInName(path), basename(path)]);
  const found = byName.length > 0 ? byName : matches(wanted, candidates, ({ head }) => [head().id]);
  if (found.length > 1) throw ambiguous(value, found);
  return found[0];
}

function matches(
  wanted: string,
  candidates: readonly Candidate[],
  names: (candidate: Candidate) => readonly string[],
): readonly Candidate[] {
  const named = candidates.map((candidate) => ({
    candidate,
    names: names(candidate).map((name) => name.toLowerCase()),
  }));
  const whole = named.filter((one) => one.names.includes(wanted));
  const found = whole.length > 0 ? whole : named.filter((one) => beginsWith(one.names, wanted));
  return found.map(({ candidate }) => candidate);
}

function beginsWith(names: readonly string[], wanted: string): boolean {
  return names.some((name) => name.startsWith(wanted));
}

const SHOWN = 10;

function ambiguous(value: string, found: readonly Candidate[]): UserError {
  const rows = found.slice(0, SHOWN).map(({ path, head }) => {
    const { id, cwd } = head();
    return `  ${id || idInName(path)}  ${cwd}`;
  });
  const more = found.length > SHOWN ? [`  and ${found.length - SHOWN} more`] : [];
  const lines = [`Session "${value}" is not the only one that begins so:`, ...rows, ...more];
  return new UserError("session", lines.join("\n"));
}
