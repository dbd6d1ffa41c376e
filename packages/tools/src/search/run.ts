/** Runs a search: understands the pattern, finds the page, shows it so that it can be edited at once. */

import { textOutput, ToolFailure, type ToolCall, type ToolRun } from "@omp/agent";
import { SearchTimeout } from "@omp/host";
import { systemClock } from "@omp/std";
import { shownPath } from "../shared/anchored.ts";
import { orFailure } from "../shared/failure.ts";
import type { Hosts } from "../shared/hosts.ts";
import { findPage } from "./page.ts";
import { outputOf, type Doors } from "./output.ts";
import { targetsOf } from "./targets.ts";

interface SearchInput {
  pattern: string;
  paths?: readonly string[];
  i?: boolean;
  gitignore?: boolean;
  skip?: number;
}

const SECONDS = 30;
const REPORT_MS = 200;
const REPORTED = 20;

export const run: ToolRun<
  SearchInput,
  Pick<Hosts, "editing" | "files" | "resources" | "search" | "snapshots" | "sources">
> = async (input, call, hosts) => {
  const { pattern, paths = [], skip = 0 } = input;
  if (pattern.trim() === "") throw new ToolFailure("Pattern must not be empty");
  if (!Number.isFinite(skip) || skip < 0) {
    throw new ToolFailure("Skip must be a non-negative number");
  }
  const { cwd, signal } = call;
  const { found, ...left } = await orFailure(targetsOf(paths, { ...hosts, cwd, signal }));
  const request = {
    targets: found,
    ignores: input.gitignore ?? true,
    skip: Math.floor(skip),
    cwd,
    limits: { signal, deadlineMs: SECONDS * 1000 },
    onFile: progress(call),
  };
  const query = { pattern, ignoresCase: input.i ?? false };
  const { page, read } = await inTime(async () => {
    const read = await hosts.search.understand(query, signal);
    return { read, page: await findPage({ ...request, query: read }, hosts) };
  });
  const doors: Doors = { ...hosts, cwd, around: hosts.search.around };
  return outputOf({ ...left, page, read, skip: request.skip, targets: found }, doors);
};

async function inTime<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await orFailure(work());
  } catch (error) {
    if (!(error instanceof SearchTimeout)) throw error;
    const text = `search timed out after ${SECONDS}s; narrow paths or pattern`;
    throw new ToolFailure(text, undefined, { cause: error });
  }
}

/** The first files that match, told while the rest is searched. */
function progress({ cwd, report }: ToolCall): (path: string) => void {
  const first: string[] = [];
  let reportAt = 0;
  return (path) => {
    if (first.length < REPORTED) first.push(shownPath(path, cwd));
    const now = systemClock.monotonic();
    if (now < reportAt) return;
    reportAt = now + REPORT_MS;
    report(textOutput(first.join("\n")));
  };
}
