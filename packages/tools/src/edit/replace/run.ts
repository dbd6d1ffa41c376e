/** Runs an edit that replaces text by text. */

import { ToolFailure, type ToolRun } from "@omp/agent";
import { rowOf } from "../../shared/anchored.ts";
import { commit } from "../commit.ts";
import { parseText, textOf, type FileText } from "../file-text.ts";
import { load, notFound, placeOf, refuseHalfCharacters, type EditHosts } from "../planned.ts";
import { findText, nearestLines, type Replacement } from "./find.ts";

interface GivenEdit {
  readonly old_text: string;
  readonly new_text: string;
  readonly all?: boolean;
}

interface Given {
  readonly path: string;
  readonly edits: readonly GivenEdit[];
}

const MAX_NAMED = 10;
const ALIKE =
  "The old text was found with other white space or typography; the new text follows the file.";

export const runReplace: ToolRun<Given, EditHosts> = async ({ path, edits }, call, hosts) => {
  refuseHalfCharacters(edits.map((edit) => edit.new_text).join(""));
  const place = await placeOf(path, call, hosts);
  const before = await load(place, hosts);
  if (!before) throw notFound(place.shown);
  const flat = [...before.text.lines, ...(before.text.ends.at(-1) === "" ? [] : [""])].join("\n");
  const replacements: Replacement[] = [];
  let isAlike = false;
  for (const [index, edit] of edits.entries()) {
    const found = locate(flat, edit, { index, shown: place.shown }, hosts);
    replacements.push(...found.replacements);
    isAlike ||= found.isAlike;
  }
  const after = replaceAll(before.text, inOrder(replacements, place.shown));
  const change = { ...place, before, after, warnings: isAlike ? [ALIKE] : [] };
  return commit([change], { call, said: JSON.stringify({ path, edits }) }, hosts);
};

function locate(
  flat: string,
  { old_text, new_text, all = false }: GivenEdit,
  { index, shown }: { readonly index: number; readonly shown: string },
  { editing }: EditHosts,
): { replacements: readonly Replacement[]; isAlike: boolean } {
  const oldText = old_text.replaceAll("\r\n", "\n");
  const newText = new_text.replaceAll("\r\n", "\n");
  const name = `${shown}, edit ${index + 1}`;
  if (oldText === "") throw new ToolFailure(`${name}: old_text is empty. Nothing was written.`);
  const wish = { oldText, newText, isForAll: all };
  const found = findText(flat, wish, { isFuzzy: editing.fuzzyMatch });
  switch (found.kind) {
    case "found":
      return found;
    case "ambiguous": {
      const named = found.lines.slice(0, MAX_NAMED).join(", ");
      throw new ToolFailure(
        `${name}: the old text is there ${found.lines.length} times (lines ${named}). Nothing was ` +
          "written. Add lines around it, or set all to replace every one.",
      );
    }
    case "missing":
      throw missing(flat, oldText, name, editing.fuzzyThreshold);
  }
}

function missing(flat: string, oldText: string, name: string, threshold: number): ToolFailure {
  const near = nearestLines(flat, oldText);
  const rows = near.map(({ line, text }) => rowOf(line, text));
  const isClose = (near[0]?.likeness ?? 0) >= threshold;
  const hint = isClose ? "Almost the same text is at:" : "The nearest lines are:";
  const said = `${name}: the old text is not in the file. Nothing was written. Send it as it is.`;
  return new ToolFailure(rows.length === 0 ? said : [`${said} ${hint}`, ...rows].join("\n"));
}

function inOrder(replacements: readonly Replacement[], shown: string): readonly Replacement[] {
  const sorted = replacements.toSorted((a, b) => a.from - b.from);
  const isOverlapping = sorted.some((one, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next.from < one.to;
  });
  if (!isOverlapping) return sorted;
  throw new ToolFailure(`${shown}: two edits change the same text. Nothing was written.`);
}

/** Offsets count "\n" for every line end; the file keeps its own ends outside of what is replaced. */
function replaceAll(text: FileText, replacements: readonly Replacement[]): FileText {
  const whole = textOf({ ...text, hasMark: false });
  const offset = offsetsIn(text);
  const parts: string[] = [];
  let next = 0;
  for (const { from, to, text: newText } of replacements) {
    const start = offset(from);
    parts.push(whole.slice(next, start.at), newText.replaceAll("\n", start.end));
    next = offset(to).at;
  }
  parts.push(whole.slice(next));
  return { ...parseText(parts.join("")), hasMark: text.hasMark };
}

/** Where an offset of the flat text is in the file, and how lines end there. */
function offsetsIn({ lines, ends }: FileText) {
  const starts: number[] = [];
  const files: number[] = [];
  let [flat, real] = [0, 0];
  for (const [index, line] of lines.entries()) {
    starts.push(flat);
    files.push(real);
    flat += line.length + 1;
    real += line.length + ends[index]!.length;
  }
  return (offset: number): { at: number; end: string } => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    const line = low - 1;
    if (line < 0) return { at: 0, end: "\n" };
    const isPastEnd = line === lines.length - 1 && offset > starts[line]! + lines[line]!.length;
    const at = isPastEnd ? real : files[line]! + offset - starts[line]!;
    return { at, end: ends[line] || ends[line - 1] || ends[0] || "\n" };
  };
}
