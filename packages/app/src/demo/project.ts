/** The scratch project of the demo: two small shell scripts, one of them wrong. */

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import brokenProgram from "./project/celsius.sh" with { type: "text" };
import tests from "./project/test.sh" with { type: "text" };

/** @returns the folder */
export function createDemoProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "omp-demo-"));
  writeFileSync(join(folder, "celsius.sh"), brokenProgram);
  writeFileSync(join(folder, "test.sh"), tests);
  return folder;
}
