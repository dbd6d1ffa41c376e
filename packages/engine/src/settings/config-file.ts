/** Reads a file of settings: YAML, or JSON with comments. What is wrong with it is a value with its place. */

import { codeOf, ignore, messageOf } from "@omp/std";
import fs from "node:fs";
import { faultLine, lineOf } from "../yaml-place.ts";
import { isFields, type Fields } from "./fields.ts";

export type ConfigFile =
  | { readonly kind: "ok"; readonly path: string; readonly text: string; readonly values: Fields }
  | { readonly kind: "not-found"; readonly path: string }
  /** `place` is the path, with the line where it is known. */
  | { readonly kind: "error"; readonly place: string; readonly reason: string };

/** Nobody writes more settings than this; a larger file is something else. */
const MAX_BYTES = 1024 * 1024;
/** The line of a fault is found by parsing again and again, which takes too long for more. */
const MAX_SEARCHED = 64 * 1024;

/** Reads at once: every start waits for it, and a small file is there sooner than a thread. */
export function readConfigFile(path: string): ConfigFile {
  let text: string;
  try {
    const { size } = fs.statSync(path);
    if (size > MAX_BYTES) return fault(path, "it is larger than 1 MB");
    text = fs.readFileSync(path, "utf8");
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "not-found", path };
    return fault(path, reasonOf(error));
  }
  return parseConfig(path, text);
}

function parseConfig(path: string, text: string): ConfigFile {
  if (text.includes("\0")) return fault(`${path}:${lineAt(text, "\0")}`, "it has a NUL byte");
  const parse = /\.jsonc?$/.test(path) ? Bun.JSONC.parse : Bun.YAML.parse;
  let values: unknown;
  try {
    values = parse(text);
  } catch (error) {
    return fault(`${path}${faultPlace(text, parse)}`, shorter(error));
  }
  if (values === null || values === undefined) return { kind: "ok", path, text, values: {} };
  if (!isFields(values)) {
    const example = "`retry: { enabled: false }`";
    return fault(path, `it must be a mapping of settings, such as ${example}`);
  }
  if (isEndless(values)) return fault(path, "it has an alias that contains itself");
  return { kind: "ok", path, text, values };
}

/** The line of a setting, however its name is split into keys. */
export function lineOfSetting(text: string, values: Fields, name: string): number {
  return lineOf(text, keysOf(values, name) ?? name.split("."));
}

/** The keys that lead to a setting: a key may hold dots of its own. */
function keysOf(values: Fields, name: string): readonly string[] | undefined {
  if (Object.hasOwn(values, name)) return [name];
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const inner = Object.hasOwn(values, name.slice(0, dot)) && values[name.slice(0, dot)];
    const rest = isFields(inner) ? keysOf(inner, name.slice(dot + 1)) : undefined;
    if (rest) return [name.slice(0, dot), ...rest];
  }
  return undefined;
}

function fault(place: string, reason: string): ConfigFile {
  return { kind: "error", place, reason };
}

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case "EISDIR":
      return "it is a folder";
    case "EACCES":
    case "EPERM":
      return "it may not be read";
    default:
      return messageOf(error);
  }
}

function shorter(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply";
  return messageOf(error).replace(/^(?:YAML|JSONC?) Parse error: /, "");
}

function faultPlace(text: string, parse: (text: string) => unknown): string {
  if (text.length > MAX_SEARCHED) return "";
  const parses = (beginning: string) => {
    try {
      parse(beginning);
      return true;
    } catch (error) {
      ignore(error, "only whether it parses counts");
      return false;
    }
  };
  return `:${faultLine(text, parses)}`;
}

function lineAt(text: string, piece: string): number {
  return text.slice(0, text.indexOf(piece)).split("\n").length;
}

/** An anchor can hold an alias of itself. */
function isEndless(value: unknown, above: readonly unknown[] = []): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (above.includes(value)) return true;
  return Object.values(value).some((inner) => isEndless(inner, [...above, value]));
}
