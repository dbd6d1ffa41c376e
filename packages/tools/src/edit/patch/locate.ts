/** Where a hunk belongs: found by its lines, never by a number alone, and only if there is one such place. */

import { ToolFailure } from "@omp/agent";
import { LIKENESSES, placesOf } from "../alike.ts";
import type { LineChange } from "../file-text.ts";
import type { Hunk } from "./hunk.ts";

const MAX_NAMED = 5;

/** @throws ToolFailure with the number of the hunk that does not fit */
export function changesOfHunks(
  lines: readonly string[],
  hunks: readonly Hunk[],
  { shown, isFuzzy }: { readonly shown: string; readonly isFuzzy: boolean },
): readonly LineChange[] {
  const forms = LIKENESSES.slice(0, isFuzzy ? undefined : 1).map((form) => lines.map(form));
  const changes: LineChange[] = [];
  let next = 0;
  for (const hunk of hunks) {
    const at = placeOf(hunk, { lines, forms, from: next, shown });
    changes.push(...changesAt(hunk, at));
    next = at + hunk.lines.filter(({ sign }) => sign !== "+").length;
  }
  return changes;
}

interface Search {
  readonly lines: readonly string[];
  /** The lines once for each likeness. */
  readonly forms: readonly (readonly string[])[];
  /** Hunks come in the order of the file. */
  readonly from: number;
  readonly shown: string;
}

function placeOf(hunk: Hunk, search: Search): number {
  const wanted = hunk.lines.flatMap(({ sign, text }) => (sign === "+" ? [] : [text]));
  const from = afterAnchors(hunk, search);
  if (wanted.length === 0) return emptyPlace(hunk, from, search);
  for (const [index, form] of LIKENESSES.slice(0, search.forms.length).entries()) {
    const all = placesOf(wanted.map(form), search.forms[index]!, from);
    const places = hunk.isAtEnd
      ? all.filter((at) => at + wanted.length === search.lines.length)
      : all;
    const place = theOne(places, hunk, search);
    if (place !== undefined) return place;
  }
  const anchor = hunk.anchors.length > 0 ? ` after "${hunk.anchors.join('" and "')}"` : "";
  throw failure(
    hunk,
    search,
    `its context is not there${anchor}. Read the file and send the lines as they are.`,
  );
}

/** Undefined when there is no place. */
function theOne(places: readonly number[], hunk: Hunk, search: Search): number | undefined {
  if (places.length <= 1) return places[0];
  // An anchor says which of several is meant: the first one below it.
  if (hunk.anchors.length > 0) return places[0];
  const hinted = hunk.oldLine === undefined ? undefined : hunk.oldLine - 1;
  if (hinted !== undefined && places.includes(hinted)) return hinted;
  const named = places.slice(0, MAX_NAMED).map((at) => at + 1);
  throw failure(
    hunk,
    search,
    `its context is there ${places.length} times (lines ${named.join(", ")}${places.length > MAX_NAMED ? ", ..." : ""}). ` +
      "Add more lines around it, or a line above it after @@.",
  );
}

function afterAnchors(hunk: Hunk, search: Search): number {
  let from = search.from;
  const trimmed = hunk.anchors.length > 0 ? search.lines.map((line) => line.trim()) : [];
  for (const anchor of hunk.anchors) {
    const places = placesOf([anchor], trimmed, from);
    if (places.length === 0) throw failure(hunk, search, `there is no line "${anchor}".`);
    if (places.length > 1) {
      const named = places.slice(0, MAX_NAMED).map((at) => at + 1);
      throw failure(
        hunk,
        search,
        `the line "${anchor}" is there ${places.length} times (lines ${named.join(", ")}). Use one that is unique.`,
      );
    }
    from = places[0]! + 1;
  }
  return from;
}

/** For a hunk that only adds. */
function emptyPlace(hunk: Hunk, from: number, search: Search): number {
  if (hunk.anchors.length > 0) return from;
  if (hunk.isAtEnd || search.lines.length === 0) return search.lines.length;
  throw failure(hunk, search, "it only adds lines. Send some lines around them as context.");
}

function failure(hunk: Hunk, { shown }: Search, problem: string): ToolFailure {
  return new ToolFailure(`${shown}, hunk ${hunk.number}: ${problem} Nothing was written.`);
}

/** Lines of context stay as they are in the file. */
function changesAt(hunk: Hunk, start: number): readonly LineChange[] {
  const changes: { at: number; count: number; lines: string[] }[] = [];
  let at = start;
  let isOpen = false;
  for (const { sign, text } of hunk.lines) {
    if (sign === " ") {
      isOpen = false;
      at++;
      continue;
    }
    if (!isOpen) changes.push({ at, count: 0, lines: [] });
    isOpen = true;
    const change = changes.at(-1)!;
    if (sign === "+") change.lines.push(text);
    else {
      change.count++;
      at++;
    }
  }
  return changes;
}
