/** Notebooks (.ipynb) as the text of their cells. Pure. */

import { ToolFailure } from "@omp/agent";
import { messageOf } from "@omp/std";

const KINDS = ["code", "markdown", "raw"] as const;
const MARKER = /^# %%+ \[(?:code|markdown|raw)\] cell:\d+/;

/** @throws ToolFailure for what is no notebook */
export function notebookText(json: string): string {
  const { cells } = record(parsed(json), "The notebook");
  if (!Array.isArray(cells)) throw new ToolFailure("The notebook has no list of cells.");
  return cells.map((cell: unknown, at) => cellText(cell, at + 1)).join("\n\n");
}

function cellText(cell: unknown, number: number): string {
  const { cell_type: type, source } = record(cell, `Cell ${number}`);
  const kind = KINDS.find((known) => known === type);
  if (!kind)
    throw new ToolFailure(`Cell ${number} of the notebook has the unknown type ${String(type)}.`);
  const text = textOf(source, number).split("\n").map(escaped).join("\n");
  const marker = `# %% [${kind}] cell:${number}`;
  return text === "" ? marker : `${marker}\n${text}`;
}

function textOf(source: unknown, number: number): string {
  if (source === undefined) return "";
  if (typeof source === "string") return source;
  const isList = Array.isArray(source) && source.every((line) => typeof line === "string");
  if (isList) return source.join("");
  throw new ToolFailure(`Cell ${number} of the notebook has no text.`);
}

/** A line of a cell that looks like a marker gets one more sign. */
function escaped(line: string): string {
  return MARKER.test(line) ? line.replace("# %%", "# %%%") : line;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new ToolFailure(`The notebook is not valid JSON: ${messageOf(error)}`, undefined, {
      cause: error,
    });
  }
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new ToolFailure(`${what} is not an object.`);
}
