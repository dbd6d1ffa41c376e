/** Runs a find: walks what the paths mean, and lists the newest of all that fits. */

import { textOutput, ToolFailure, type ToolCall, type ToolOutput, type ToolRun } from "@omp/agent";
import { WalkTimeout, type Found, type Files, type Scans } from "@omp/host";
import { systemClock } from "@omp/std";
import { shownPath } from "../shared/anchored.ts";
import { orFailure, orMissing } from "../shared/failure.ts";
import type { Hosts } from "../shared/hosts.ts";
import { targetsOf, type Base, type Targets } from "./targets.ts";

interface FindInput {
  paths: readonly string[];
  hidden?: boolean;
  limit?: number;
}

const DEFAULT_LIMIT = 1000;
const MAX_BYTES = 50 * 1024;
/** What a cut list says at its end must fit as well. */
const NOTE_BYTES = 200;
const DEADLINE_MS = 5000;
const REPORT_MS = 200;
const REPORTED = 100;

export const run: ToolRun<FindInput, Pick<Hosts, "files" | "scans">> = async (
  { paths, hidden = true, limit = DEFAULT_LIMIT },
  call,
  { files, scans },
) => {
  if (!Number.isFinite(limit) || limit <= 0) {
    throw new ToolFailure("Limit must be a positive number");
  }
  const targets = await orFailure(targetsOf(paths, call.cwd, files));
  const found = await orFailure(collect(targets, hidden, call, { files, scans }));
  return outputOf(found, { ...targets, limit: Math.max(1, Math.floor(limit)), cwd: call.cwd });
};

/** Everything that fits, each once. */
async function collect(
  { files: named, bases }: Targets,
  hidden: boolean,
  call: ToolCall,
  { files, scans }: { files: Files; scans: Scans },
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const path of named) {
    const { modifiedMs } = await files.stat(path);
    found.push({ path, kind: "file", modifiedMs });
  }
  let reportAt = systemClock.monotonic() + REPORT_MS;
  for (const base of bases) {
    for await (const batch of walkOf(base, hidden, call, scans)) {
      for (const one of batch) {
        // Waiting for each would cost more than the rest.
        if (one.kind === "file" || (await leadsToFile(one, files))) found.push(one);
      }
      if (systemClock.monotonic() < reportAt) continue;
      reportAt = systemClock.monotonic() + REPORT_MS;
      call.report(textOutput(shownPaths(newest(found, REPORTED), call.cwd).join("\n")));
    }
  }
  if (named.length + bases.length === 1) return found;
  return [...new Map(found.map((one) => [one.path, one])).values()];
}

async function* walkOf(base: Base, hidden: boolean, call: ToolCall, scans: Scans) {
  const { folder: root, nodeModules, maxDepth } = base;
  try {
    yield* scans.walk({
      root,
      hidden,
      nodeModules,
      ignores: true,
      top: call.cwd,
      ...(maxDepth === undefined ? {} : { maxDepth }),
      withTimes: true,
      wants: (path, kind) =>
        (kind === "file" || kind === "symlink") && base.fits(path.slice(root.length + 1)),
      signal: call.signal,
      deadlineMs: DEADLINE_MS,
    });
  } catch (error) {
    if (!(error instanceof WalkTimeout)) throw error;
    throw new ToolFailure("find timed out after 5s; name a narrower path", undefined, {
      cause: error,
    });
  }
}

/** A link counts when it leads to a file. */
async function leadsToFile({ path }: Found, files: Files): Promise<boolean> {
  return (await orMissing(files.stat(path)))?.kind === "file";
}

/** Most of what was found need not be in order: it is not shown. */
function newest(found: readonly Found[], limit: number): readonly Found[] {
  const times = Float64Array.from(found, ({ modifiedMs }) => modifiedMs).sort();
  const oldest = times[times.length - limit] ?? Number.NEGATIVE_INFINITY;
  return found
    .filter(({ modifiedMs }) => modifiedMs >= oldest)
    .sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1))
    .slice(0, limit);
}

function shownPaths(found: readonly Found[], cwd: string): string[] {
  return found.map(({ path }) => shownPath(path, cwd));
}

interface Shape extends Targets {
  readonly limit: number;
  readonly cwd: string;
}

function outputOf(found: readonly Found[], { limit, cwd, missing, ...targets }: Shape): ToolOutput {
  const files = shownPaths(newest(found, limit), cwd);
  const shown = fitting(files);
  const isLimited = found.length > limit;
  const truncated = shown.length < files.length;
  const notes = [
    ...(truncated || isLimited
      ? [`[Showing the newest ${shown.length} of ${found.length} files; narrow the paths]`]
      : []),
    ...(missing.length > 0 ? [`Skipped missing paths: ${missing.join(", ")}`] : []),
  ];
  const list = shown.length > 0 ? shown.join("\n") : "No files found matching pattern";
  const scopes = [...targets.bases.map(({ folder }) => folder), ...targets.files];
  const details = {
    scopePath: scopes.map((path) => (path === cwd ? "." : shownPath(path, cwd))).join(", "),
    fileCount: files.length,
    files: shown,
    truncated: truncated || isLimited,
    ...(isLimited && { resultLimitReached: limit, meta: { limits: { resultLimit: limit } } }),
    ...(missing.length > 0 && { missingPaths: missing }),
    ...(truncated && {
      truncation: { truncatedBy: "bytes", totalLines: files.length, outputLines: shown.length },
    }),
  };
  const output = textOutput([list, ...notes].join(notes.length > 0 ? "\n\n" : ""), details);
  return found.length > 0 ? output : { ...output, useless: true };
}

/** As many as fit, from the first on. */
function fitting(lines: readonly string[]): readonly string[] {
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES - NOTE_BYTES) return lines.slice(0, index);
  }
  return lines;
}
