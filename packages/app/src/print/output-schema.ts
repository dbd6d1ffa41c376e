/** The value of `--output-schema`: JSON, or the path of a file with it. */

import { codeOf, messageOf, UserError } from "@omp/std";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export function readOutputSchema(given: string, folder: string): Record<string, unknown> {
  const isInline = given.trimStart().startsWith("{");
  const path = resolve(folder, given);
  const place = isInline ? "--output-schema" : `--output-schema: ${path}`;
  const schema = parse(isInline ? given : readText(path), place);
  if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) {
    return schema as Record<string, unknown>;
  }
  throw new UserError("bad-input", `${place}: a JSON Schema must be an object`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT";
    const reason = isMissing ? `File not found: ${path}` : messageOf(error);
    const kind = isMissing ? "file-not-found" : "unreadable-file";
    throw new UserError(kind, `--output-schema: ${reason}`, { cause: error });
  }
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError("bad-input", `${place}: not JSON: ${messageOf(error)}`, { cause: error });
  }
}
