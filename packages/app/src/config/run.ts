/** `omp config`: lists settings, reads and changes one, as text or as one JSON document. */

import { openSettingsEditor, type SettingRow, type SettingsEditor } from "@omp/engine/boot";
import { nearest, sanitize, UserError } from "@omp/std";
import { resolve } from "node:path";
import type { CommandRun } from "../cli/command.ts";
import { createOutput } from "../headless/output.ts";
import { note, STDOUT, streamKind } from "../headless/streams.ts";
import { listed, listText, words } from "./list.ts";

export const runConfig: CommandRun = async (invocation, { startedIn, home, environment }) => {
  const { messages, options, settings } = invocation;
  const verb = verbOf(messages);
  const configFiles = invocation.configFiles.map((path) => resolve(startedIn, path));
  const editor = await openSettingsEditor({ home, environment, configFiles, settings });
  for (const { place, message } of editor.problems) note(`warning: ${place}: ${message}`);
  const { text, json } = await verb(editor);
  const isJson = options["json"] !== undefined;
  const shown = isJson ? JSON.stringify(json, null, 2) : text;
  const isTerminal = (await streamKind(STDOUT)) === "terminal";
  const output = createOutput(() => {});
  output.write(`${isTerminal ? sanitize(shown) : shown}\n`);
  await output.flush();
  return 0;
};

/** What is printed, in both forms. */
interface Report {
  readonly text: string;
  readonly json: unknown;
}

type Verb = (editor: SettingsEditor) => Promise<Report>;

const VERBS = ["list", "get", "set", "reset", "path"];

function verbOf([verb, name, value, ...spare]: readonly string[]): Verb {
  const given = [name, value, ...spare].filter((word) => word !== undefined).length;
  const take = (count: number, what: string) => {
    if (given !== count) throw new UserError("misuse", `omp config ${verb} takes ${what}`);
  };
  switch (verb) {
    case "list":
      take(0, "no name");
      return async ({ rows }) => ({ text: listText(rows), json: rows.map(listed) });
    case "get":
      take(1, "the name of a setting");
      return async ({ row }) => reportOf(row(name!), row(name!).value);
    case "set":
      take(2, "the name of a setting and its value");
      return async ({ row, set }) => reportOf(row(name!), await set(name!, value!), `${name} = `);
    case "reset":
      take(1, "the name of a setting");
      return async ({ row, reset }) => reportOf(row(name!), await reset(name!), `${name} = `);
    case "path":
      take(0, "no name");
      return async ({ path }) => ({ text: path, json: { path } });
    default:
      throw new UserError("misuse", wrongVerb(verb));
  }
}

function wrongVerb(verb: string | undefined): string {
  if (verb === undefined) return "omp config needs to know what to do";
  const guess = nearest(verb, VERBS);
  return `omp config does not know "${verb}".${guess === undefined ? "" : ` Did you mean ${guess}?`}`;
}

function reportOf({ name }: SettingRow, value: unknown, start = ""): Report {
  return { text: `${start}${words(value)}`, json: { name, value } };
}
