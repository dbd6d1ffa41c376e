/** Finds and reads the session files that a program under test has written. */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@omp/std";

/** All session files below this home, sorted by path. */
export async function sessionFiles(home: string): Promise<string[]> {
  const folder = join(home, ".omp/agent/sessions");
  if (!existsSync(folder)) return [];
  const files = await Array.fromAsync(new Bun.Glob("**/*.jsonl").scan({ cwd: folder, dot: true }));
  return files.sort().map((file) => join(folder, file));
}

/** Every line as JSON. Rejects with the number of the first line that is not. */
export async function readJsonl(file: string): Promise<unknown[]> {
  const lines = (await readFile(file, "utf8")).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index): unknown => {
    try {
      return JSON.parse(line);
    } catch (error) {
      throw new Error(
        `${file}:${index + 1}: not JSON (${messageOf(error)}): ${line.slice(0, 200)}`,
      );
    }
  });
}
