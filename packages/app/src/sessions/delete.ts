/** `omp sessions delete`: sessions and their artifacts, asked about unless told not to. */

import type { Sessions } from "@omp/engine/boot";
import { UserError } from "@omp/std";
import { askLine, canAsk } from "../headless/ask.ts";
import type { Report, Wish } from "./verb.ts";
import { plural } from "./words.ts";

export async function remove(sessions: Sessions, { words, isYes }: Wish): Promise<Report> {
  if (words.length === 0) throw new UserError("misuse", "omp sessions delete takes ids or paths");
  const found = await Promise.all(words.map((word) => sessions.describe(sessions.pathOf(word))));
  const paths = found.map(({ path }) => path);
  const names = found.map(({ id, name }) => `  ${id}  ${name}`);
  if (!isYes && !(await confirm(names))) {
    return { text: "", json: { deleted: [] }, notes: ["Nothing was deleted."], exitCode: 1 };
  }
  sessions.delete(paths);
  return {
    text: "",
    json: { deleted: paths },
    notes: [`${plural(paths.length, "session")} deleted.`],
  };
}

async function confirm(names: readonly string[]): Promise<boolean> {
  if (!(await canAsk())) {
    throw new UserError("bad-input", "Deleting needs --yes where nobody can be asked.");
  }
  const question = `${names.join("\n")}\nDelete ${plural(names.length, "session")} for good? [y/N] `;
  return /^y(es)?$/i.test((await askLine(question))?.trim() ?? "");
}
