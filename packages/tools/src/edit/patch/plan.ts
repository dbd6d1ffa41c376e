/** Entries of a patch as checked changes. */

import { ToolFailure, type ToolCall } from "@omp/agent";
import { orFailure, orMissing } from "../../shared/failure.ts";
import { changeLines, EMPTY } from "../file-text.ts";
import { load, notFound, placeOf, type EditHosts, type PlannedChange } from "../planned.ts";
import type { Hunk } from "./hunk.ts";
import { changesOfHunks } from "./locate.ts";

export type PatchEntry =
  | { readonly op: "create"; readonly path: string; readonly lines: readonly string[] }
  | { readonly op: "delete"; readonly path: string }
  | {
      readonly op: "update";
      readonly path: string;
      readonly rename?: string | undefined;
      readonly hunks: readonly Hunk[];
    };

export async function planEntries(
  entries: readonly PatchEntry[],
  call: ToolCall,
  hosts: EditHosts,
): Promise<readonly PlannedChange[]> {
  const planned: PlannedChange[] = [];
  const taken = new Set<string>();
  for (const entry of entries) {
    const change = await planEntry(entry, call, hosts);
    for (const path of [change.path, change.newPlace?.path]) {
      if (path === undefined) continue;
      if (taken.has(path)) {
        throw new ToolFailure(`${change.shown} is named twice. Put its hunks into one entry.`);
      }
      taken.add(path);
    }
    planned.push(change);
  }
  return planned;
}

async function planEntry(
  entry: PatchEntry,
  call: ToolCall,
  hosts: EditHosts,
): Promise<PlannedChange> {
  const place = await placeOf(entry.path, call, hosts);
  const before = await load(place, hosts);
  const plain = { ...place, before, warnings: [] };
  if (entry.op === "create") {
    if (before) throw new ToolFailure(`${place.shown} exists already: update it instead.`);
    const { lines } = entry;
    return { ...plain, after: changeLines(EMPTY, [{ at: 0, count: 0, lines }]) };
  }
  if (!before) throw notFound(place.shown);
  if (entry.op === "delete") return { ...plain, after: undefined };
  const { shown } = place;
  const isFuzzy = hosts.editing.fuzzyMatch;
  const changes = changesOfHunks(before.text.lines, entry.hunks, { shown, isFuzzy });
  const after = changeLines(before.text, changes);
  if (entry.rename === undefined) return { ...plain, after };
  const newPlace = await placeOf(entry.rename, call, hosts);
  if (newPlace.path === place.path) return { ...plain, after };
  if (await orFailure(orMissing(hosts.files.stat(newPlace.path)))) {
    throw new ToolFailure(`${newPlace.shown} exists already: choose another name.`);
  }
  return { ...plain, after, newPlace };
}
