/** `omp --resume` without a session: a numbered list, as long as there is no screen to choose on. */

import { openSessions, type SessionSummary } from "@omp/engine/boot";
import { UserError } from "@omp/std";
import { resolve } from "node:path";
import type { Surroundings } from "../cli/command.ts";
import type { Invocation } from "../cli/invocation.ts";
import { askLine, canAsk } from "../headless/ask.ts";
import { note } from "../headless/streams.ts";
import { ago, plural } from "./words.ts";

const SHOWN = 20;

/** Puts the path of the chosen session into the invocation. @returns false when none was chosen */
export async function chooseSession(
  invocation: Invocation,
  { cwd, startedIn, home, environment }: Surroundings,
): Promise<boolean> {
  if (!(await canAsk())) {
    throw new UserError(
      "bad-input",
      "--resume needs an id or a path where nobody can choose one: omp sessions list shows them.",
    );
  }
  const sessionFolder = invocation.sessionDir && resolve(startedIn, invocation.sessionDir);
  using sessions = await openSessions({ cwd, home, environment, sessionFolder });
  const found = (await sessions.list("folder")).slice(0, SHOWN);
  if (found.length === 0) {
    note("No sessions found");
    return false;
  }
  note(found.map(rowOf).join("\n"));
  const chosen = await chosenOf(found);
  if (!chosen) note("No session selected");
  else invocation.resume = chosen.path;
  return chosen !== undefined;
}

function rowOf({ name, messageCount, modifiedMs, status }: SessionSummary, at: number): string {
  const facts = [plural(messageCount, "message"), ago(modifiedMs), status].join(", ");
  return `${String(at + 1).padStart(3)}  ${name}  (${facts})`;
}

async function chosenOf(found: readonly SessionSummary[]): Promise<SessionSummary | undefined> {
  for (;;) {
    const answer = (await askLine(`Which session? [1-${found.length}] `))?.trim();
    if (!answer) return undefined;
    const chosen = /^\d+$/.test(answer) ? found[Number(answer) - 1] : undefined;
    if (chosen) return chosen;
    note(`There is no session ${answer} in the list.`);
  }
}
