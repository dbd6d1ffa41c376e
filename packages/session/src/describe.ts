/** One session in detail, for a person who wants to know what is in a file. Only reads. */

import { readdirSync } from "node:fs";
import { codeOf, sanitizeLine, UserError, type Clock, type Random } from "@omp/std";
import { artifactFolder } from "./artifacts.ts";
import { fieldsOf } from "./entry.ts";
import { entryText } from "./entry-text.ts";
import { statOf } from "./found-file.ts";
import { SessionLog } from "./log.ts";
import type { LineProblem } from "./problem.ts";
import { scanSession, summaryOf } from "./scan.ts";
import type { SessionSummary } from "./summary.ts";

export interface SaidEntry {
  readonly entryId: string;
  readonly role: string;
  /** One safe line of it. */
  readonly text: string;
}

export interface SessionDescription extends SessionSummary {
  readonly entries: number;
  /** Ends of branches. */
  readonly leaves: number;
  readonly artifacts: number;
  readonly problems: readonly LineProblem[];
  /** What was said on the active branch. */
  readonly branch: readonly SaidEntry[];
}

const MAX_LINE = 200;

/** @throws UserError when there is no session at the path */
export async function describeSession(
  path: string,
  doors: { readonly clock: Clock; readonly random: Random },
): Promise<SessionDescription> {
  const file = statOf(path);
  if (!file) throw new UserError("file-not-found", `File not found: ${path}`);
  await using log = await SessionLog.open({ path, access: "read", ...doors });
  const { head, tally, status } = scanSession(file, undefined, Infinity);
  const parents = new Set(log.entries.map(({ parentId }) => parentId));
  return {
    ...summaryOf(file, head, tally, status),
    entries: log.entries.length,
    leaves: log.entries.filter(({ id }) => !parents.has(id)).length,
    artifacts: countIn(artifactFolder(path)),
    problems: log.problems,
    branch: log.branch().flatMap((entry) => {
      const said = entryText(fieldsOf(entry));
      if (!said) return [];
      const text = sanitizeLine(said.text).replaceAll(/\s+/g, " ").trim();
      return [{ entryId: entry.id, role: said.role, text: shortened(text) }];
    }),
  };
}

function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * MAX_LINE));
  return characters.length > MAX_LINE ? `${characters.slice(0, MAX_LINE - 1).join("")}…` : text;
}

function countIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return 0;
  }
}
