/** From sections to checked changes: nothing is written before every section is known to fit. */

import { ToolFailure, type ToolCall } from "@omp/agent";
import { sameContent } from "../../shared/same-content.ts";
import { changeLines, EMPTY, parseText } from "../file-text.ts";
import {
  load,
  notFound,
  placeOf,
  type EditHosts,
  type LoadedFile,
  type Place,
  type PlannedChange,
} from "../planned.ts";
import { applyOperations, checkOperations, inOrder } from "./apply.ts";
import { legacySnapshot } from "./legacy.ts";
import { mismatchFailure } from "./mismatch.ts";
import type { Operation, Section } from "./parse.ts";
import { recover } from "./recover.ts";
import { dropDecoration, dropRepeats } from "./repair.ts";

const CARRIED_OVER =
  "had changed since it was shown; the edit was carried over to what it holds now.";

/** The sections of one file as one: all their lines are those before the call. */
interface Target {
  readonly place: Place;
  readonly tag: string | undefined;
  readonly isLegacy: boolean;
  readonly operations: readonly Operation[];
}

export async function planSections(
  sections: readonly Section[],
  call: ToolCall,
  hosts: EditHosts,
): Promise<readonly PlannedChange[]> {
  const targets = new Map<string, Target>();
  for (const section of sections) {
    const place = await placeOf(section.path, call, hosts);
    targets.set(place.path, merged(targets.get(place.path), section, place));
  }
  const planned: PlannedChange[] = [];
  for (const target of targets.values()) planned.push(await planTarget(target, hosts));
  return planned;
}

function merged(known: Target | undefined, section: Section, place: Place): Target {
  const { tag, isLegacy, operations } = section;
  if (!known) return { place, tag, isLegacy, operations };
  const isOther = tag !== undefined && known.tag !== undefined && tag !== known.tag;
  if (isOther || isLegacy !== known.isLegacy) {
    const names = isOther ? `tags (#${known.tag} and #${tag})` : "kinds of anchors";
    throw new ToolFailure(
      `The sections of ${place.shown} have different ${names}. Use the newest tag for all of them.`,
    );
  }
  return { ...known, tag: known.tag ?? tag, operations: [...known.operations, ...operations] };
}

async function planTarget(target: Target, hosts: EditHosts): Promise<PlannedChange> {
  const { place, operations } = target;
  if (operations.length === 0) {
    throw new ToolFailure(`The section of ${place.shown} has no operations.`);
  }
  const before = await load(place, hosts);
  if (!before) {
    if (operations.some(({ edge }) => !edge)) throw notFound(place.shown);
    return { ...place, before, after: applyOperations(EMPTY, operations), warnings: [] };
  }
  const clean = dropDecoration(before.text.lines, operations);
  const fitting = fit({ ...target, operations: clean.operations }, before, hosts);
  const repaired = dropRepeats(before.text.lines, fitting.operations, {
    dropsFromInserts: hosts.editing.hashlineAutoDropPureInsertDuplicates,
  });
  const warnings = [
    ...clean.warnings,
    ...(fitting.isCarriedOver ? [`${place.shown} ${CARRIED_OVER}`] : []),
    ...repaired.warnings,
  ];
  const regions = inOrder(repaired.operations, before.text.lines.length);
  return { ...place, before, after: changeLines(before.text, regions), regions, warnings };
}

/** The operations in terms of the file as it is now. */
function fit(
  { place, tag, isLegacy, operations }: Target,
  { text, whole: current }: LoadedFile,
  { snapshots }: EditHosts,
): { operations: readonly Operation[]; isCarriedOver: boolean } {
  const asTheyAre = { operations, isCarriedOver: false };
  if (operations.every(({ edge }) => edge)) return asTheyAre;
  if (tag === undefined && !isLegacy) throw untagged(place.shown);
  const snapshot = isLegacy
    ? legacySnapshot(operations, text, snapshots.versions(place.path), place.shown)
    : snapshots.find(place.path, tag!);
  const isCurrent =
    snapshot === undefined && !isLegacy && snapshots.isOf(place.path, tag!, current);
  if (isCurrent || (snapshot !== undefined && isSameText(snapshot, current))) {
    checkOperations(operations, text.lines.length);
    return asTheyAre;
  }
  const shown = snapshot === undefined ? undefined : parseText(snapshot);
  checkOperations(operations, (shown ?? text).lines.length);
  const moved = snapshot === undefined ? undefined : recover(operations, snapshot, text);
  if (!moved) {
    throw mismatchFailure({
      shownPath: place.shown,
      tag: snapshots.record(place.path, current),
      given: tag,
      lines: text.lines,
      snapshot: shown?.lines,
      operations,
    });
  }
  checkOperations(moved, text.lines.length);
  return { operations: moved, isCarriedOver: true };
}

function isSameText(snapshot: string, current: string): boolean {
  return snapshot === current || sameContent(snapshot) === sameContent(current);
}

function untagged(shown: string): ToolFailure {
  return new ToolFailure(
    `The header of ${shown} has no tag, so its line numbers mean nothing. Read the file and use ` +
      `the header it shows, such as "¶${shown}#9F3C".`,
  );
}
