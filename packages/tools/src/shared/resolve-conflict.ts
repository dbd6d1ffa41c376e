/** Writes to `conflict://`: a conflict is replaced by what it shall be, or by one of its sides. */

import { textOutput, ToolFailure, type ToolOutput } from "@omp/agent";
import { HostError } from "@omp/host";
import { headerOf, shownPath } from "./anchored.ts";
import { sideOf, SIDES } from "./conflict-regions.ts";
import { regionIn, type Conflict } from "./conflicts.ts";
import { orFailure } from "./failure.ts";
import type { Hosts } from "./hosts.ts";
import { utf8Of } from "./utf8.ts";

type Needs = Pick<Hosts, "files" | "conflicts" | "snapshots" | "editing">;

/** What happened to the conflicts of one file. */
interface Resolution {
  readonly path: string;
  readonly shown: string;
  readonly ids: readonly number[];
  readonly tag: string;
}

export function isConflictUrl(path: string): boolean {
  return /^conflict:\/\//i.test(path);
}

export async function resolveConflict(
  url: string,
  content: string,
  cwd: string,
  hosts: Needs,
): Promise<ToolOutput> {
  const [, name = "", side] = /^conflict:\/\/([^/]*)(?:\/(.*))?$/i.exec(url) ?? [];
  if (side !== undefined) {
    throw new ToolFailure(`${url} can only be read. Write to conflict://${name} to resolve it.`);
  }
  if (name === "*") return resolveAll(content, cwd, hosts);
  const conflict = /^\d+$/.test(name) ? hosts.conflicts.find(Number(name)) : undefined;
  if (!conflict) {
    throw new ToolFailure(`Unknown conflict: ${name}. Read <path>:conflicts to find conflicts.`);
  }
  const done = await orFailure(resolveIn([conflict], content, cwd, hosts));
  const left = hosts.conflicts.all().filter(({ path }) => path === conflict.path).length;
  const rest = left === 0 ? "none is left" : `${left} left`;
  const lines = [
    ...(hosts.editing.showsAnchors ? [headerOf(done.shown, done.tag)] : []),
    `Resolved conflict ${conflict.id} in ${done.shown} (lines ${conflict.startLine}-${conflict.endLine}); ${rest}.`,
  ];
  return textOutput(lines.join("\n"), { resolvedPath: conflict.path });
}

/** One file that cannot be written does not keep the others from it. */
async function resolveAll(content: string, cwd: string, hosts: Needs): Promise<ToolOutput> {
  const byPath = Map.groupBy(hosts.conflicts.all(), ({ path }) => path);
  if (byPath.size === 0) {
    throw new ToolFailure("No conflict is known. Read <path>:conflicts to find conflicts.");
  }
  const done: Resolution[] = [];
  const failed: string[] = [];
  for (const [path, conflicts] of byPath) {
    try {
      done.push(await resolveIn(conflicts, content, cwd, hosts));
    } catch (error) {
      if (!(error instanceof ToolFailure) && !(error instanceof HostError)) throw error;
      failed.push(`${shownPath(path, cwd)}: ${error.message}`);
    }
  }
  if (done.length === 0) throw new ToolFailure(`Nothing was resolved.\n${failed.join("\n")}`);
  const lines = [
    ...done.map(({ ids, shown }) => `Resolved ${ids.map((id) => `#${id}`).join(", ")} in ${shown}`),
    ...(failed.length > 0 ? ["Not resolved:", ...failed] : []),
    ...(hosts.editing.showsAnchors
      ? ["Snapshots:", ...done.map(({ shown, tag }) => headerOf(shown, tag))]
      : []),
  ];
  return textOutput(lines.join("\n"), { resolvedPaths: done.map(({ path }) => path) });
}

/** All of them are in one file, which is written once. */
async function resolveIn(
  found: readonly Conflict[],
  content: string,
  cwd: string,
  { files, conflicts, snapshots }: Needs,
): Promise<Resolution> {
  const { path } = found[0]!;
  const shown = shownPath(path, cwd);
  const before = await files.read(path);
  let text = utf8Of(before, { keepsMark: true });
  if (text === undefined) throw new ToolFailure(`${shown} is not UTF-8 text and was not changed.`);
  // From the last to the first, so that the places of the others stay.
  for (const conflict of found.toSorted((a, b) => b.startLine - a.startLine)) {
    text = replaced(text, conflict, content, shown);
  }
  await files.write(path, text, { expected: before });
  conflicts.register(path, text);
  return { path, shown, ids: found.map(({ id }) => id), tag: snapshots.record(path, text) };
}

function replaced(text: string, conflict: Conflict, content: string, shown: string): string {
  const region = regionIn(text, conflict);
  if (!region) {
    throw new ToolFailure(
      `Conflict ${conflict.id} is no longer as it was. Read ${shown}:conflicts again.`,
    );
  }
  const side = SIDES.find((name) => content.trim() === `@${name}`);
  const instead = side ? sideOf(region, side) : fitting(content, region.text);
  if (instead === undefined) throw new ToolFailure(`Conflict ${conflict.id} has no base`);
  const start = placeOf(text, region.startLine);
  return text.slice(0, start) + instead + text.slice(start + region.text.length);
}

/** Lines end as those in whose place they come. */
function fitting(content: string, region: string): string {
  const isOpen = content === "" || content.endsWith("\n") || !region.endsWith("\n");
  const whole = isOpen ? content : `${content}\n`;
  return /\r\n/.test(region) ? whole.replaceAll(/\r?\n/g, "\r\n") : whole;
}

function placeOf(text: string, line: number): number {
  let at = 0;
  for (let next = 1; next < line; next++) at = text.indexOf("\n", at) + 1;
  return at;
}
