/** The files of `--config`. The person named them for this run: what is wrong with one ends it. */

import { UserError } from "@omp/std";
import { readConfigFile } from "./config-file.ts";
import type { Layer } from "./layer.ts";
import { layerOf } from "./stack.ts";

export function readOverlay(path: string): Layer {
  const file = readConfigFile(path);
  switch (file.kind) {
    case "ok":
      return layerOf("overlay", file);
    case "not-found":
      throw new UserError("file-not-found", `--config: File not found: ${path}`);
    case "error":
      throw new UserError("bad-config", `--config: ${file.place}: ${file.reason}`);
  }
}
