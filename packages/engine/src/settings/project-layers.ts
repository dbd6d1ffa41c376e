/** The files of settings that a project has: of omp, and of the tools whose files omp understands. */

import fs from "node:fs";
import { join } from "node:path";
import { readConfigFile } from "./config-file.ts";
import type { Layer } from "./layer.ts";
import { layerOf, type SettingProblem } from "./stack.ts";

/** The weakest first. Only the folder itself counts, none above it. */
const FILES = [
  [".gemini", "settings.json"],
  [".codex", "settings.json"],
  [".claude", "settings.json"],
  [".omp", "settings.json"],
  [".omp", "config.yml"],
] as const;

const OWN = ".omp";

/** Whether a file may set this to this value. */
export type MayHold = (name: string, value: unknown) => boolean;

export interface ProjectSettings {
  readonly layers: readonly Layer[];
  readonly problems: readonly SettingProblem[];
}

export interface ProjectFile {
  readonly path: string;
  /** Of another tool. */
  readonly isForeign: boolean;
}

/** Those that are there, the weakest first. */
export function projectFiles(cwd: string): readonly ProjectFile[] {
  return FILES.map(([folder, name]) => {
    return { path: join(cwd, folder, name), isForeign: folder !== OWN };
  }).filter(({ path }) => fs.existsSync(path));
}

/** @param mayHold what a file may set */
export async function readProjectLayers(
  files: readonly ProjectFile[],
  mayHold: (path: string) => Promise<MayHold>,
): Promise<ProjectSettings> {
  const layers: Layer[] = [];
  const problems: SettingProblem[] = [];
  for (const { path, isForeign } of files) {
    const file = readConfigFile(path);
    if (file.kind === "ok") {
      layers.push(layerOf("project", file, { isForeign, mayHold: await mayHold(path) }));
    } else if (file.kind === "error" && !isForeign) {
      const message = `cannot be read: ${file.reason}; it is not used`;
      problems.push({ kind: "unreadable", place: file.place, message, origin: "project" });
    }
  }
  return { layers, problems };
}
