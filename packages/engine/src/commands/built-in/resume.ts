/** `/resume`: another session becomes the active one. */

import type { SessionSummary } from "@omp/session";
import { UserError } from "@omp/std";
import { splitArguments } from "../arguments.ts";
import { done, type CommandPort, type SlashCommand } from "../slash-command.ts";

export const resume: SlashCommand = {
  name: "resume",
  description: "Open another session; alone, list those of this folder",
  argumentHint: "[id|path]",
  async run(args, port) {
    const wanted = splitArguments(args)[0];
    if (wanted === undefined) return done(await listText(port));
    const path = isPath(wanted) ? wanted : await pathOf(wanted, port);
    const { cancelled } = await port.dispatch({ type: "switch_session", path });
    return done(cancelled ? "Resume cancelled" : "Resumed session");
  },
};

async function listText({ dispatch }: CommandPort): Promise<string> {
  const sessions = await dispatch({ type: "list_sessions", scope: "folder" });
  return sessions.length === 0 ? "No sessions in this folder." : sessions.map(row).join("\n");
}

function row({ id, name, modifiedMs }: SessionSummary): string {
  return `${id}  ${new Date(modifiedMs).toISOString()}  ${name}`;
}

function isPath(text: string): boolean {
  return text.includes("/") || text.includes("\\") || text.endsWith(".jsonl");
}

/** The beginning of an id is enough where it means one session. */
async function pathOf(prefix: string, { dispatch }: CommandPort): Promise<string> {
  const here = matching(prefix, await dispatch({ type: "list_sessions", scope: "folder" }));
  if (here) return here.path;
  const elsewhere = matching(prefix, await dispatch({ type: "list_sessions", scope: "all" }));
  if (!elsewhere) throw new UserError("session", `No session begins with "${prefix}".`);
  throw new UserError(
    "session",
    `Session found in different project: ${elsewhere.cwd}. Open it with /resume ${elsewhere.path}`,
  );
}

function matching(prefix: string, sessions: readonly SessionSummary[]): SessionSummary | undefined {
  const found = sessions.filter(({ id }) => id.startsWith(prefix.toLowerCase()));
  if (found.length < 2) return found[0];
  const list = found.map(row).join("\n");
  throw new UserError("session", `"${prefix}" is the beginning of several sessions:\n${list}`);
}
