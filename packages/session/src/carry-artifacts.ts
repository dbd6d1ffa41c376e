/** The artifacts of a session go where its file goes. */

import { cpSync, renameSync, rmSync, statSync } from "node:fs";
import { codeOf, ignore } from "@omp/std";
import { artifactFolder } from "./artifacts.ts";

/** @returns what undoes it */
export function moveArtifacts(from: string, to: string): () => void {
  const [old, fresh] = [artifactFolder(from), artifactFolder(to)];
  if (!isFolder(old)) return () => {};
  moveFolder(old, fresh);
  return () => moveFolder(fresh, old);
}

function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    cpSync(from, to, { recursive: true, errorOnExist: true, force: false });
    try {
      rmSync(from, { recursive: true });
    } catch (left) {
      ignore(left, "the copy is whole; what is left behind takes room only");
    }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
