/** The files of `--config`. The person named them for this run: what is wrong with one ends it. */

import { codeOf, ignore, messageOf, UserError } from "@omp/std";
import { readFileSync } from "node:fs";
import { faultLine, lineOf } from "../yaml-place.ts";

export interface Overlay {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** The file and the line of a setting. */
  placeOf(name: string): string;
}

export function readOverlay(path: string): Overlay {
  const text = readText(path);
  const values = parse(path, text);
  return {
    path,
    values,
    placeOf: (name) => `${path}:${lineOf(text, name in values ? [name] : name.split("."))}`,
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      throw new UserError("file-not-found", `--config: File not found: ${path}`, { cause: error });
    }
    throw broken(path, messageOf(error));
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = Bun.YAML.parse(text);
  } catch (error) {
    const line = faultLine(text, (beginning) => isYaml(beginning));
    throw broken(`${path}:${line}`, messageOf(error));
  }
  if (parsed === null || parsed === undefined) return {};
  if (typeof parsed === "object" && !Array.isArray(parsed))
    return parsed as Record<string, unknown>;
  throw broken(path, "it must be a mapping of settings, such as `retry: { enabled: false }`");
}

function isYaml(text: string): boolean {
  try {
    Bun.YAML.parse(text);
    return true;
  } catch (error) {
    ignore(error, "only whether it parses counts");
    return false;
  }
}

function broken(place: string, reason: string): UserError {
  return new UserError("bad-config", `--config: ${place}: ${reason}`);
}
