/** `omp sessions`: what is stored, as text or as one JSON document. */

import { openSessions, type Sessions } from "@omp/engine/boot";
import { nearest, sanitize, UserError } from "@omp/std";
import { resolve } from "node:path";
import type { CommandRun } from "../cli/command.ts";
import { createOutput } from "../headless/output.ts";
import { note, STDOUT, streamKind } from "../headless/streams.ts";
import { check } from "./check.ts";
import { collect } from "./collect.ts";
import { remove } from "./delete.ts";
import { list, search, show } from "./look.ts";
import type { Report, Wish } from "./verb.ts";

type Verb = (sessions: Sessions, wish: Wish) => Promise<Report>;

const VERBS: ReadonlyMap<string, Verb> = new Map([
  ["list", list],
  ["search", search],
  ["show", show],
  ["fsck", check],
  ["gc", collect],
  ["delete", remove],
]);

export const runSessions: CommandRun = async (invocation, surroundings) => {
  const { cwd, startedIn, home, environment } = surroundings;
  const { messages, options, sessionDir } = invocation;
  const [name = "list", ...words] = messages;
  const verb = VERBS.get(name);
  if (!verb) throw new UserError("misuse", wrongVerb(name));
  const isJson = options["json"] !== undefined;
  const wish: Wish = {
    which: options["all"] === undefined ? "folder" : "all",
    words: name === "search" ? words : words.map((word) => placed(word, startedIn)),
    isYes: options["yes"] !== undefined,
    isRepair: options["repair"] !== undefined,
    isJson,
  };
  const sessionFolder = sessionDir && resolve(startedIn, sessionDir);
  using sessions = await openSessions({ cwd, home, environment, sessionFolder });
  const { text, json, notes = [], exitCode = 0 } = await verb(sessions, wish);
  for (const line of notes) note(line);
  await print(isJson ? `${JSON.stringify(json, null, 2)}\n` : text);
  return exitCode;
};

async function print(text: string): Promise<void> {
  const output = createOutput(() => {});
  output.write((await streamKind(STDOUT)) === "terminal" ? sanitize(text) : text);
  await output.flush();
}

/** A path counts from where omp was started, also when it looks at another folder. */
function placed(word: string, startedIn: string): string {
  return /[/\\]/.test(word) ? resolve(startedIn, word) : word;
}

function wrongVerb(name: string): string {
  const guess = nearest(name, [...VERBS.keys()]);
  const hint = guess === undefined ? "" : ` Did you mean ${guess}?`;
  return `omp sessions does not know "${name}".${hint}`;
}
