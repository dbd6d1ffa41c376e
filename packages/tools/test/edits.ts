/** Calls of the edit tool on a workbench, as short as the tests need them. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { editTool } from "../src/edit/tool.ts";
import type { EditMode } from "../src/index.ts";
import type { CallResult, Workbench } from "./workbench.ts";

/** Edits in this form, with what the settings say about it. */
export function editsIn(bench: Workbench, mode: EditMode) {
  bench.editing = { ...bench.editing, mode, showsAnchors: mode === "hashline" };
  const tool = editTool(bench.editing);
  return {
    tool,
    call: (input: unknown, signal?: AbortSignal): Promise<CallResult> =>
      bench.call(tool, input, signal),
  };
}

/** Writes a file and shows it to the model: gives the header that a read shows. */
export function shown(bench: Workbench, name: string, content: string): string {
  const path = bench.file(name, content);
  return `¶${name}#${bench.snapshots.record(path, content)}`;
}

export function contentOf(bench: Workbench, name: string): string {
  return readFileSync(join(bench.cwd, name), "utf8");
}

export function numbered(count: number, prefix = "line"): string {
  return Array.from({ length: count }, (_, index) => `${prefix} ${index + 1}\n`).join("");
}
