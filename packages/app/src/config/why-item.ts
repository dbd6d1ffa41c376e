/** Why a rule, skill, command or server is the one it is: which file counts, and which ones it hides. */

import type { ContextRow } from "@omp/engine/boot";
import { nearest, UserError } from "@omp/std";

/** `rule:naming` as kind and name; undefined for the name of a setting, which has no colon. */
export function itemIn(
  words: string,
): { readonly kind: string; readonly name: string } | undefined {
  const [, kind, name] = /^([a-z-]+):(.+)$/s.exec(words) ?? [];
  return kind === undefined || name === undefined ? undefined : { kind, name };
}

export interface ItemExplanation {
  readonly kind: string;
  readonly name: string;
  /** What counts first, then what it hides. */
  readonly places: readonly (Pick<ContextRow, "path" | "level" | "source"> & {
    readonly standing: "counts" | "hidden";
  })[];
}

/** @throws UserError that names what there is */
export function explainItem(
  { kind, name }: { readonly kind: string; readonly name: string },
  rows: readonly ContextRow[],
): ItemExplanation {
  const ofKind = rows.filter((row) => row.kind === kind);
  const named = ofKind.filter((row) => row.name === name);
  if (named.length === 0) throw new UserError("bad-input", missing(kind, name, rows, ofKind));
  const places = named
    .map(({ path, level, source, shadowedBy }) => {
      const standing = shadowedBy === undefined ? ("counts" as const) : ("hidden" as const);
      return { standing, level, source, path };
    })
    .toSorted((a, b) => Number(a.standing === "hidden") - Number(b.standing === "hidden"));
  return { kind, name, places };
}

export function itemText({ kind, name, places }: ItemExplanation): string {
  const lines = places.map(
    ({ standing, level, source, path }) => `    ${standing}  ${path}  (${source}, ${level})`,
  );
  return [`${kind} ${name}`, ...lines].join("\n");
}

function missing(
  kind: string,
  name: string,
  rows: readonly ContextRow[],
  ofKind: readonly ContextRow[],
): string {
  if (ofKind.length === 0) {
    const kinds = [...new Set(rows.map((row) => row.kind))].sort();
    const there = kinds.length === 0 ? "Nothing was found here." : `There is ${kinds.join(", ")}.`;
    return `No ${kind} was found. ${there}`;
  }
  const guess = nearest(
    name,
    ofKind.map((row) => row.name),
  );
  return `There is no ${kind} "${name}".${guess === undefined ? "" : ` Did you mean ${guess}?`}`;
}
