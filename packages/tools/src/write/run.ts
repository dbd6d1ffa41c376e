/** Runs a write. */

import { textOutput, type ToolRun } from "@omp/agent";
import { relative, sep } from "node:path";
import { orFailure } from "../shared/failure.ts";
import type { Hosts } from "../shared/hosts.ts";

export const run: ToolRun<
  { path: string; content: string },
  Pick<Hosts, "files" | "resources">
> = async ({ path, content }, { cwd }, { files, resources }) => {
  const isInternal = resources.isInternal(path);
  const target = isInternal ? await resources.writable(path) : files.resolve(path, cwd);
  await orFailure(files.write(target, content));
  const bytes = Buffer.byteLength(content);
  const shown = isInternal ? path : shownPath(target, cwd);
  const text = `Successfully wrote ${bytes} bytes to ${shown}`;
  return textOutput(text, { resolvedPath: target });
};

/** Short inside the working directory, unmistakable outside of it. */
function shownPath(target: string, cwd: string): string {
  const path = relative(cwd, target);
  return path === ".." || path.startsWith(`..${sep}`) ? target : path;
}
