/** The scratch project of the demo: two small shell scripts, one of them wrong. */

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import brokenProgram from "./project/celsius.sh" with { type: "text" };
import tests from "./project/test.sh" with { type: "text" };

/** @returns the new folder, inside `parent` */
export function createDemoProject(parent: string): string {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(parent, "celsius-"));
  writeFileSync(join(folder, "celsius.sh"), brokenProgram);
  writeFileSync(join(folder, "test.sh"), tests);
  return folder;
}
