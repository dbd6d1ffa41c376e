/** The files of settings that a project has: of omp, and of the tools whose files omp understands. */

import fs from "node:fs";
import { join } from "node:path";
import { readConfigFile } from "./config-file.ts";
import type { Fields } from "./fields.ts";
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

/** Costs one look per family where a project has none. */
export function hasProjectFiles(cwd: string): boolean {
  const folders = new Set(FILES.map(([folder]) => folder));
  return [...folders].some(
    (folder) => fs.existsSync(join(cwd, folder)) && filesIn(cwd, folder).some(fs.existsSync),
  );
}

/** @param mayHold what a file may set, decided by all that it says */
export async function readProjectLayers(
  cwd: string,
  mayHold: (path: string, values: Fields) => Promise<MayHold>,
): Promise<ProjectSettings> {
  const layers: Layer[] = [];
  const problems: SettingProblem[] = [];
  for (const [folder, name] of FILES) {
    const file = readConfigFile(join(cwd, folder, name));
    const isForeign = folder !== OWN;
    if (file.kind === "ok") {
      const may = await mayHold(file.path, file.values);
      layers.push(layerOf("project", file, { isForeign, mayHold: may }));
    } else if (file.kind === "error" && !isForeign) {
      const message = `cannot be read: ${file.reason}; it is not used`;
      problems.push({ kind: "unreadable", place: file.place, message, origin: "project" });
    }
  }
  return { layers, problems };
}

function filesIn(cwd: string, folder: string): string[] {
  return FILES.filter(([own]) => own === folder).map(([, name]) => join(cwd, folder, name));
}
