/** A tool call and its result on one card. The body is made when the card is opened. */

import { changes, codeBlock, plain, terminal } from "./code.ts";
import { h, fold } from "./dom.ts";
import { number, record, records, text, type Fields } from "./fields.ts";
import { duration } from "./format.ts";
import { languageOf } from "./highlight.ts";
import { linesBetween, linesOfDiff } from "./lines.ts";
import { images } from "./picture.ts";
import { textsOf, type Entry } from "./session.ts";

export interface CardContext {
  /** Names of the transcripts that are part of the page. */
  readonly subagents: readonly string[];
}

export function toolCard(
  call: Fields,
  result: Entry | undefined,
  context: CardContext,
): HTMLElement {
  const name = text(call["name"]);
  const message = result?.message ?? {};
  const isFailed = message["isError"] === true;
  const took = number(record(message["details"])["wallTimeMs"]);
  const state = result === undefined ? "no result" : isFailed ? "failed" : "";
  const summary = [
    h("span", { class: "tool-name" }, name),
    h("span", { class: "tool-brief" }, briefOf(call)),
    took > 0 && h("span", { class: "tool-time" }, duration(took)),
    state !== "" && h("span", { class: `badge ${isFailed ? "bad" : ""}` }, state),
  ];
  const card = fold(summary, () => bodyOf(name, call, result), {
    class: `tool ${isFailed ? "failed" : ""}`,
    ...(result && { id: `entry-${result.id}` }),
    "data-tool": name,
  });
  const links = agentLinks(call, message, context.subagents);
  const shown = images(message["content"]);
  return h("div", { class: "tool-box" }, card, ...links, ...shown);
}

/** What a reader wants to know before opening: the command, the path, else the first text. */
function briefOf(call: Fields): string {
  const input = record(call["arguments"]);
  const names = [
    "command",
    "path",
    "file_path",
    "pattern",
    "query",
    "url",
    "i",
    "intent",
    "input",
    "context",
  ];
  const named = names.map((name) => text(input[name])).find((value) => value !== "");
  const first = named ?? Object.values(input).find((value) => typeof value === "string");
  return text(first).split("\n")[0]?.slice(0, 200) ?? "";
}

function bodyOf(name: string, call: Fields, result: Entry | undefined): HTMLElement {
  const draw = BODIES[name] ?? anyBody;
  const output = plain(textsOf(result?.message["content"]).join("\n"));
  return h(
    "div",
    { class: "tool-body" },
    ...draw(record(call["arguments"]), output, record(result?.message["details"]), call),
  );
}

type Body = (input: Fields, output: string, details: Fields, call: Fields) => readonly Node[];

const BODIES: Readonly<Record<string, Body>> = {
  bash: bashBody,
  edit: editBody,
  read: readBody,
  write: writeBody,
};

function bashBody(input: Fields, output: string): Node[] {
  return [terminal("$ ", text(input["command"]), output)];
}

function readBody(input: Fields, output: string, details: Fields): Node[] {
  const path = text(input["path"]) || text(input["file_path"]);
  const shown = text(record(details["displayContent"])["text"]);
  return [codeBlock(shown || output, languageOf(path), path)];
}

function writeBody(input: Fields, output: string): Node[] {
  const path = text(input["path"]) || text(input["file_path"]);
  return [
    changes(
      linesBetween("", text(input["content"])).filter(
        ({ text: line, kind }) => kind === "added" || line !== "",
      ),
      path,
    ),
    ...said(output),
  ];
}

function editBody(input: Fields, output: string, details: Fields, call: Fields): Node[] {
  const path = text(input["path"]) || text(details["path"]);
  const [before, after] = [text(details["oldText"]), text(details["newText"])];
  if (before !== "" || after !== "") return [changes(linesBetween(before, after), path)];
  if (text(details["diff"]) !== "") return [changes(linesOfDiff(text(details["diff"])), path)];
  const pairs = [input, ...records(input["edits"])].filter(
    (edit) => typeof edit["newText"] === "string",
  );
  if (pairs.length === 0) return anyBody(input, output, details, call);
  const shown = pairs.map((edit) =>
    changes(linesBetween(text(edit["oldText"]), text(edit["newText"])), path),
  );
  return [...shown, ...said(output)];
}

function anyBody(input: Fields, output: string, _details: Fields, call: Fields): Node[] {
  const malformed = text(call["malformedArguments"]);
  const json = malformed || JSON.stringify(input, null, 2);
  return [codeBlock(json, malformed ? "" : "json", "arguments"), ...said(output)];
}

function said(output: string): Node[] {
  return output.trim() === "" ? [] : [codeBlock(output, "", "result")];
}

/** The transcripts that this call has started. */
function agentLinks(call: Fields, message: Fields, known: readonly string[]): Node[] {
  const started = [
    ...records(record(message["details"])["results"]).map(({ id }) => text(id)),
    ...records(record(call["arguments"])["tasks"]).flatMap(({ id, name }) => [
      text(id),
      text(name),
    ]),
  ];
  const names = known.filter((name) =>
    started.some((id) => id !== "" && (name === id || name.endsWith(`/${id}`))),
  );
  if (names.length === 0) return [];
  return [h("nav", { class: "agents", "aria-label": "Subagents" }, ...names.map(agentLink))];
}

export function agentLink(name: string): HTMLElement {
  return h("a", { class: "agent", href: `#agent/${encodeURIComponent(name)}` }, `${name} →`);
}
