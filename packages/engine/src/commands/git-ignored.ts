/** Which files a repository does not want to know. */

import type { Processes } from "@omp/host";
import { ignore } from "@omp/std";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export interface GitDeps {
  readonly processes: Processes;
  readonly childEnvironment: Readonly<Record<string, string>>;
}

const DEADLINE_MS = 5000;

/** Of these absolute paths, those that git ignores. None outside of a repository or without git. */
export async function ignoredByGit(
  folder: string,
  paths: readonly string[],
  { processes, childEnvironment }: GitDeps,
): Promise<ReadonlySet<string>> {
  if (!isInRepository(folder)) return new Set();
  let output = "";
  const decoder = new TextDecoder();
  try {
    const child = processes.spawn({
      // Without the index nothing of the repository's configuration can start a program.
      command: ["git", "check-ignore", "--no-index", "--stdin", "-z"],
      cwd: folder,
      env: childEnvironment,
      owner: "commands",
      deadlineMs: DEADLINE_MS,
      stdin: paths.map((path) => `${path}\0`).join(""),
      onStdout: (bytes) => void (output += decoder.decode(bytes, { stream: true })),
    });
    await child.ended;
  } catch (error) {
    ignore(error, "without git nothing is ignored");
  }
  return new Set(output.split("\0"));
}

function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}
