/** What is in force for one setting, and what every layer says about it. */

import type { Setting } from "@omp/std";
import { isFields, merged } from "./fields.ts";
import { placeIn, type SettingOrigin } from "./layer.ts";
import type { HeardLayer } from "./stack.ts";
import { typed } from "./typed.ts";

export interface Given {
  /** Files, the weakest first. */
  readonly heard: readonly HeardLayer[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Full name to value. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** What this process was told while it ran. */
  readonly overrides: ReadonlyMap<string, unknown>;
  /** Beginnings of names that only the command line changes. */
  readonly unchanged?: readonly string[] | undefined;
}

/** One layer's word about a setting. */
export interface Candidate {
  readonly origin: SettingOrigin;
  readonly value: unknown;
  /** It has no say: of the wrong kind, or not allowed there. */
  readonly isRefused: boolean;
  /** File and line, or the variable. Looked up when somebody asks. */
  place(): string;
}

export interface Resolved {
  readonly value: unknown;
  readonly origin: SettingOrigin;
  /** Whoever decided, and those whose maps are part of the value. */
  readonly used: readonly Candidate[];
}

export function resolve(name: string, declared: Setting, given: Given): Resolved {
  return effective(declared, candidatesFor(name, declared, given));
}

/** The strongest decides. Maps of files and flags lie over each other; what the process was told replaces them. */
export function effective({ default: fallback }: Setting, said: readonly Candidate[]): Resolved {
  let used: Candidate[] = [];
  let value: unknown = fallback;
  for (const candidate of said) {
    if (candidate.isRefused) continue;
    const isAdded =
      used.length > 0 &&
      candidate.origin !== "override" &&
      isFields(value) &&
      isFields(candidate.value);
    value = isAdded ? merged(value, candidate.value) : candidate.value;
    used = isAdded ? [...used, candidate] : [candidate];
  }
  return { value, origin: used.at(-1)?.origin ?? "default", used };
}

/** What each layer says, the weakest first. About most settings nobody says anything. */
export function candidatesFor(
  name: string,
  declared: Setting,
  { heard, environment, flags, overrides, unchanged = [] }: Given,
): readonly Candidate[] {
  const isOwn = !unchanged.some((beginning) => name.startsWith(beginning));
  const said: Candidate[] = [];
  if (isOwn) hearVariable(declared.fallbackEnv, declared, environment, said);
  for (const { layer, values, refused } of heard) {
    const isRefused = refused.has(name);
    if (!isRefused && !values.has(name)) continue;
    const value = isRefused ? refused.get(name) : values.get(name);
    said.push({ origin: layer.origin, value, isRefused, place: () => placeIn(layer, name) });
  }
  if (isOwn) hearVariable(declared.env, declared, environment, said);
  // What a flag gives was checked by the flag.
  if (Object.hasOwn(flags, name)) {
    const value = flags[name];
    said.push({ origin: "flag", value, isRefused: false, place: () => "command line" });
  }
  if (overrides.has(name)) {
    const value = overrides.get(name);
    said.push({ origin: "override", value, isRefused: false, place: () => "this run" });
  }
  return said;
}

function hearVariable(
  variable: string | undefined,
  { schema }: Setting,
  environment: Given["environment"],
  said: Candidate[],
): void {
  const text = variable === undefined ? undefined : environment[variable];
  if (text === undefined || text === "") return;
  const value = typed(text, schema);
  const isRefused = value === undefined;
  said.push({
    origin: "environment",
    value: isRefused ? text : value,
    isRefused,
    place: () => `environment variable ${variable}`,
  });
}
