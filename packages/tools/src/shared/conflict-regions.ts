/** Conflicts that a merge left in a text: where they are and what their sides say. Pure. */

export interface ConflictRegion {
  /** The line of the first marker, counted from 1. */
  readonly startLine: number;
  /** The line of the last marker. */
  readonly endLine: number;
  /** With the markers and all line ends, exactly as in the text. */
  readonly text: string;
  readonly ours: string;
  /** Undefined where the merge did not write it down. */
  readonly base: string | undefined;
  readonly theirs: string;
  /** What the markers call the sides. */
  readonly labels: { readonly ours: string; readonly theirs: string };
}

export const SIDES = ["ours", "theirs", "base", "both"] as const;
export type Side = (typeof SIDES)[number];

type Section = "ours" | "base" | "theirs";

interface Open {
  readonly startLine: number;
  readonly lines: string[];
  readonly sides: Record<Section, string[]>;
  section: Section;
  hasBase: boolean;
  readonly label: string;
}

/** Markers that do not make a whole conflict are text. */
export function conflictRegions(text: string): readonly ConflictRegion[] {
  const regions: ConflictRegion[] = [];
  let open: Open | undefined;
  let number = 0;
  for (const line of text.split(/(?<=\n)/)) {
    number++;
    const start = /^<{7}(?: (.*?))?\r?\n?$/.exec(line);
    if (start) open = opened(number, line, start[1] ?? "");
    else if (open) {
      open.lines.push(line);
      const end = /^>{7}(?: (.*?))?\r?\n?$/.exec(line);
      if (end && open.section === "theirs") {
        regions.push(closed(open, number, end[1] ?? ""));
        open = undefined;
      } else step(open, line);
    }
  }
  return regions;
}

/** Undefined for a base that is not there. */
export function sideOf({ ours, base, theirs }: ConflictRegion, side: Side): string | undefined {
  switch (side) {
    case "ours":
      return ours;
    case "theirs":
      return theirs;
    case "base":
      return base;
    case "both":
      return ours + theirs;
  }
}

function opened(startLine: number, line: string, label: string): Open {
  const sides = { ours: [], base: [], theirs: [] };
  return { startLine, lines: [line], sides, section: "ours", hasBase: false, label };
}

function step(open: Open, line: string): void {
  if (open.section === "ours" && /^\|{7}(?: |\r?\n?$)/.test(line)) {
    open.section = "base";
    open.hasBase = true;
  } else if (open.section !== "theirs" && /^={7}\r?\n?$/.test(line)) open.section = "theirs";
  else open.sides[open.section].push(line);
}

function closed({ sides, lines, ...open }: Open, endLine: number, theirs: string): ConflictRegion {
  return {
    startLine: open.startLine,
    endLine,
    text: lines.join(""),
    ours: sides.ours.join(""),
    base: open.hasBase ? sides.base.join("") : undefined,
    theirs: sides.theirs.join(""),
    labels: { ours: open.label, theirs },
  };
}
