/** `omp config`: lists settings, reads and changes one, as text or as one JSON document. */

import {
  configSchema,
  openContext,
  openSettingsEditor,
  type ContextReport,
  type SettingRow,
  type SettingsEditor,
} from "@omp/engine/boot";
import { nearest, sanitize, UserError } from "@omp/std";
import { resolve } from "node:path";
import type { CommandRun } from "../cli/command.ts";
import { createOutput } from "../headless/output.ts";
import { note, STDOUT, streamKind } from "../headless/streams.ts";
import { listed, listText, words } from "./list.ts";
import { explainItem, itemIn, itemText } from "./why-item.ts";
import { allText, explained, whyText } from "./why.ts";

export const runConfig: CommandRun = async (invocation, surroundings) => {
  const { cwd, startedIn, home, environment } = surroundings;
  const { messages, options, settings, isConfigStrict } = invocation;
  const verb = verbOf(messages);
  const configFiles = invocation.configFiles.map((path) => resolve(startedIn, path));
  const editor = await openSettingsEditor({
    cwd,
    home,
    environment,
    configFiles,
    settings,
    isConfigStrict,
    trustsProject: invocation.isTrusting,
  });
  for (const { place, message } of editor.problems) note(`warning: ${place}: ${message}`);
  const look = () => openContext({ cwd, home, environment, settings, configFiles });
  const { text, json } = await verb(editor, look);
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

type Verb = (editor: SettingsEditor, look: () => Promise<ContextReport>) => Promise<Report>;

const VERBS = ["list", "get", "set", "reset", "unset", "why", "path", "schema"];

function verbOf([verb, name, ...more]: readonly string[]): Verb {
  const given = (name === undefined ? 0 : 1) + more.length;
  const take = (isRight: boolean, what: string) => {
    if (!isRight) throw new UserError("misuse", `omp config ${verb} takes ${what}`);
  };
  switch (verb) {
    case "list":
      take(given === 0, "no name");
      return async ({ rows }) => ({ text: listText(rows), json: rows.map(listed) });
    case "get":
      take(given === 1, "the name of a setting");
      return async ({ row }) => reportOf(row(name!), row(name!).value);
    case "set":
      take(given >= 2, "the name of a setting and its value");
      return async (editor) => changed(editor, name!, await editor.set(name!, more.join(" ")));
    case "reset":
    case "unset":
      take(given === 1, "the name of a setting");
      return async (editor) => changed(editor, name!, await editor.reset(name!));
    case "why":
      take(given <= 1, "the name of a setting, kind:name, or nothing for all that are set");
      return whyVerb(name);
    case "path":
      take(given === 0, "no name");
      return async ({ path }) => ({ text: path, json: { path } });
    case "schema":
      take(given === 0, "no name");
      return async () => {
        const json = await configSchema();
        return { text: JSON.stringify(json, null, 2), json };
      };
    default:
      throw new UserError("misuse", wrongVerb(verb));
  }
}

function whyVerb(name: string | undefined): Verb {
  const item = name === undefined ? undefined : itemIn(name);
  return async (editor, look) => {
    if (item) {
      const json = explainItem(item, (await look()).rows);
      return { text: itemText(json), json };
    }
    return name === undefined ? whyAll(editor) : whyOne(editor, name);
  };
}

function whyOne({ why }: SettingsEditor, name: string): Report {
  const found = why(name);
  return { text: whyText(found), json: explained(found) };
}

function whyAll({ rows, why }: SettingsEditor): Report {
  const all = rows.map(({ name }) => why(name)).filter(({ sources }) => sources.length > 0);
  return { text: allText(all), json: all.map(explained) };
}

function wrongVerb(verb: string | undefined): string {
  if (verb === undefined) return "omp config needs to know what to do";
  const guess = nearest(verb, VERBS);
  return `omp config does not know "${verb}".${guess === undefined ? "" : ` Did you mean ${guess}?`}`;
}

/** Somebody stronger than config.yml may have another word. */
function changed({ row, why }: SettingsEditor, name: string, value: unknown): Report {
  const winner = why(name).sources.find(({ standing }) => standing === "wins");
  if (winner && winner.origin !== "file")
    note(`warning: ${winner.place} sets ${name} too, and wins here`);
  return reportOf(row(name), value, `${name} = `);
}

function reportOf({ name }: SettingRow, value: unknown, start = ""): Report {
  return { text: `${start}${words(value)}`, json: { name, value } };
}
