/** `omp sessions fsck`: damage by line, mended on request with the original kept. */

import type { FileCheck, LineProblem, Sessions } from "@omp/engine/boot";
import type { Report, Wish } from "./verb.ts";
import { plural } from "./words.ts";

interface Checked extends FileCheck {
  readonly repair?: { readonly backup: string; readonly lostLines: number };
}

/** Exit code 1 when damage is left that could be mended. */
export async function check(sessions: Sessions, { words, which, isRepair }: Wish): Promise<Report> {
  const paths =
    words.length > 0
      ? words.map((word) => sessions.pathOf(word))
      : (await sessions.list(which)).map(({ path }) => path);
  const checked: Checked[] = [];
  for (const path of paths) checked.push(await checkOne(sessions, path, isRepair));
  const damaged = checked.filter(({ problems }) => problems.length > 0);
  const isLeft = damaged.some(({ problems, repair }) => !repair && problems.some(isMendable));
  return {
    text: damaged.map(textOf).join(""),
    json: checked.map((one) => ({ ...one, repair: one.repair ?? null })),
    notes: [
      `${plural(checked.length, "session")} checked, ${damaged.length} with damage.`,
      ...(isLeft && !isRepair
        ? ["--repair mends what can be mended and keeps the originals."]
        : []),
    ],
    exitCode: isLeft ? 1 : 0,
  };
}

async function checkOne(sessions: Sessions, path: string, isRepair: boolean): Promise<Checked> {
  const found = await sessions.check(path);
  if (!isRepair || found.problems.length === 0) return found;
  const repair = await sessions.repair(path);
  return repair ? { ...found, repair } : found;
}

function textOf({ path, problems, repair }: Checked): string {
  const lines = problems.map((problem) => `  line ${problem.line}: ${MEANINGS[problem.kind]}`);
  const mended = repair && [
    `  mended; the original is ${repair.backup}`,
    ...(repair.lostLines > 0 ? [`  ${plural(repair.lostLines, "line")} could not be read`] : []),
  ];
  return `${[path, ...lines, ...(mended ?? [])].join("\n")}\n`;
}

const MEANINGS: Readonly<Record<LineProblem["kind"], string>> = {
  "not-json": "cannot be read",
  torn: "was not written to its end",
  zeros: "has zero bytes from a crash",
  "not-an-entry": "is JSON, but no entry",
  "missing-parent": "its parent is missing; it is kept as a root",
  "duplicate-id": "its id was used before",
  "no-header": "the header is missing",
};

/** An entry without its parent is a root of the tree: there is nothing to mend. */
function isMendable({ kind }: LineProblem): boolean {
  return kind !== "missing-parent";
}
