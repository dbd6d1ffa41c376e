/** What may have been meant by a path that is not there: a file that ends like it, or several files. */

import { ToolFailure, type ToolCall } from "@omp/agent";
import { HostError, WalkTimeout, type Files, type Scans } from "@omp/host";
import { editDistance } from "@omp/std";
import { basename, dirname, sep } from "node:path";
import { shownPath } from "../shared/anchored.ts";
import { orMissing } from "../shared/failure.ts";
import { locate, nameIn } from "./locate.ts";
import { splitSelector, WHOLE } from "./selector.ts";
import { localTarget, type Target } from "./target.ts";

interface Doors {
  readonly files: Files;
  readonly scans: Scans;
}

const SEARCH_MS = 5000;
const MAX_LISTED = 1000;
const MAX_SUGGESTIONS = 3;
const MAX_PARTS = 10;

/** @throws ToolFailure when nothing can be meant */
export async function locateElsewhere(
  given: string,
  call: ToolCall,
  doors: Doors,
): Promise<readonly Target[]> {
  const several = await listed(given, call, doors.files);
  if (several) return several;
  const alike = await endingLike(given, call, doors);
  if (alike.length === 1) return [await resolved(given, alike[0]!, call, doors.files)];
  throw await notFound(given, alike, call.cwd, doors.files);
}

/** `a.ts, b.ts`: several paths where one was asked for. Undefined unless all of them are there. */
async function listed(
  given: string,
  { cwd }: ToolCall,
  files: Files,
): Promise<readonly Target[] | undefined> {
  for (const separator of [/\s*[,;]\s*/, /\s+/]) {
    const parts = given.split(separator).filter((part) => part !== "");
    if (parts.length < 2 || parts.length > MAX_PARTS) continue;
    const found = await Promise.all(parts.map((part) => locate(part, cwd, files)));
    if (found.every((target) => target !== undefined && target.inner === undefined)) {
      return found as readonly Target[];
    }
  }
  return undefined;
}

/** Files of the workspace whose path ends with the whole of what was asked for. */
async function endingLike(
  given: string,
  { cwd, signal }: ToolCall,
  { files, scans }: Doors,
): Promise<readonly string[]> {
  const name = nameIn(given);
  const isPlain = !name.startsWith("/") && !name.startsWith("~") && !name.includes("..");
  if (!isPlain || name.trim() === "") return [];
  const ending = sep + files.resolve(name, "/").slice(1);
  const limit = AbortSignal.timeout(SEARCH_MS);
  const found: string[] = [];
  try {
    const request = { root: cwd, hidden: true, ignores: true, nodeModules: false };
    const batches = scans.walk({
      ...request,
      signal: AbortSignal.any([signal, limit]),
      wants: (path, kind) => kind === "file" && path.endsWith(ending),
    });
    for await (const batch of batches) found.push(...batch.map(({ path }) => path));
  } catch (error) {
    signal.throwIfAborted();
    const isKnown = limit.aborted || error instanceof WalkTimeout || error instanceof HostError;
    if (!isKnown) throw error;
    return [];
  }
  return found.toSorted();
}

async function resolved(
  given: string,
  path: string,
  { cwd }: ToolCall,
  files: Files,
): Promise<Target> {
  const stat = await files.stat(path);
  const { path: from, selector } = splitSelector(given) ?? { path: given, selector: WHOLE };
  const to = shownPath(path, cwd);
  const notice = `[Path '${from}' not found; resolved to '${to}' via suffix match]\n`;
  return localTarget(to, { path, stat }, { selector, notice, suffixResolution: { from, to } });
}

async function notFound(
  given: string,
  alike: readonly string[],
  cwd: string,
  files: Files,
): Promise<ToolFailure> {
  const name = nameIn(given);
  if (alike.length > 1) {
    const shown = alike.slice(0, MAX_SUGGESTIONS).map((path) => shownPath(path, cwd));
    const more = alike.length > shown.length ? ", …" : "";
    return new ToolFailure(
      `Path '${name}' not found\nSeveral files end like it: ${shown.join(", ")}${more}`,
    );
  }
  const path = files.resolve(name, cwd);
  const wanted = basename(path).toLowerCase();
  const siblings = (await orMissing(files.list(dirname(path)))) ?? [];
  const similar = siblings
    .slice(0, MAX_LISTED)
    .map((entry) => ({ ...entry, distance: editDistance(wanted, entry.name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, wanted.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map((entry) => entry.name);
  const hint = similar.length > 0 ? `\nSimilar names in that directory: ${similar.join(", ")}` : "";
  return new ToolFailure(`Path '${name}' not found${hint}`);
}
