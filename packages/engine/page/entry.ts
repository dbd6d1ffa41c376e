/** One entry of the conversation as nodes. */

import { codeBlock, terminal } from "./code.ts";
import { copyButton, fold, h } from "./dom.ts";
import { number, record, records, text, type Fields } from "./fields.ts";
import { clock, count, duration, money } from "./format.ts";
import { markdown } from "./markdown.ts";
import { images } from "./picture.ts";
import { callsOf, textsOf, type Entry, type Session } from "./session.ts";
import { toolCard, type CardContext } from "./tool-card.ts";

export interface EntryContext extends CardContext {
  readonly session: Session;
  readonly results: ReadonlyMap<string, Entry>;
  /** Shows another way from the same parent. */
  switchTo(id: string): void;
}

/** Whether an entry has a place of its own in the conversation; results stand on the card of their call. */
export function isShown(
  { type, role, fields }: Entry,
  answered: ReadonlySet<string>,
  id: string,
): boolean {
  if (type === "message") return role !== "toolResult" || !answered.has(id);
  if (type === "custom_message") return fields["display"] !== false;
  return type !== "custom" && type !== "label";
}

export function entryNodes(entry: Entry, context: EntryContext): readonly Node[] {
  const draw = entry.type === "message" ? ROLES[entry.role] : TYPES[entry.type];
  return [
    ...branchSwitch(entry, context),
    ...labelOf(entry, context),
    ...(draw ?? unknown)(entry, context),
  ];
}

type Draw = (entry: Entry, context: EntryContext) => readonly Node[];

const ROLES: Readonly<Record<string, Draw>> = {
  user: (entry) => [
    head(entry, entry.message["attribution"] === "agent" ? "Agent" : "You"),
    ...said(entry.message["content"]),
  ],
  developer: (entry) => [head(entry, "Instructions"), ...said(entry.message["content"])],
  assistant: answer,
  toolResult: (entry, context) => [
    toolCard({ name: entry.message["toolName"], arguments: {} }, entry, context),
  ],
  bashExecution: (entry) => execution(entry, "$ ", text(entry.message["command"])),
  pythonExecution: (entry) => execution(entry, ">>> ", text(entry.message["code"])),
  fileMention: (entry) => [head(entry, "Files"), ...records(entry.message["files"]).map(mentioned)],
  custom: (entry) => [
    head(entry, text(entry.message["customType"]) || "Extension"),
    ...said(entry.message["content"]),
  ],
  hookMessage: (entry) => [
    head(entry, text(entry.message["customType"]) || "Hook"),
    ...said(entry.message["content"]),
  ],
};

const TYPES: Readonly<Record<string, Draw>> = {
  custom_message: (entry) => [
    head(entry, text(entry.fields["customType"]) || "Extension"),
    ...said(entry.fields["content"]),
  ],
  compaction: (entry) =>
    divider(
      `Compacted · ${count(number(entry.fields["tokensBefore"]))} tokens before`,
      entry.fields["summary"],
    ),
  branch_summary: (entry) => divider("Summary of another branch", entry.fields["summary"]),
  reset_boundary: () => divider("Context cleared", ""),
  model_change: ({ fields }) => [
    aside(
      `Model: ${text(fields["model"]) || `${text(fields["provider"])}/${text(fields["modelId"])}`}`,
    ),
  ],
  thinking_level_change: ({ fields }) => [
    aside(`Thinking: ${text(fields["thinkingLevel"]) || "off"}`),
  ],
  title_change: ({ fields }) => [aside(`Title: ${text(fields["title"])}`)],
  session_init: ({ fields }) => divider(`Subagent ${text(fields["agent"])}`, fields["task"]),
};

function unknown({ type, fields }: Entry): readonly Node[] {
  return [
    fold(
      [h("span", { class: "aside" }, type)],
      () => codeBlock(JSON.stringify(fields, null, 2), "json"),
      { class: "plain-fold" },
    ),
  ];
}

function answer(entry: Entry, context: EntryContext): readonly Node[] {
  const { message } = entry;
  const blocks = records(message["content"]).flatMap((block): Node[] => {
    if (block["type"] === "text")
      return text(block["text"]).trim() === "" ? [] : [markdown(text(block["text"]))];
    if (block["type"] === "thinking") return thinking(block);
    if (block["type"] !== "toolCall") return [];
    return [toolCard(block, context.results.get(text(block["id"])), context)];
  });
  return [head(entry, "omp"), ...blocks, ...failure(message), usageLine(message)];
}

function thinking(block: Fields): Node[] {
  const thought = text(block["thinking"]);
  if (block["redacted"] === true || thought.trim() === "") return [];
  const start =
    thought
      .trim()
      .split("\n")[0]
      ?.replaceAll(/[*_#`]/g, "") ?? "";
  const summary = [
    h("span", { class: "thinking-name" }, "Thinking"),
    h("span", { class: "tool-brief" }, start),
  ];
  return [fold(summary, () => markdown(thought), { class: "thinking" })];
}

function failure(message: Fields): Node[] {
  const reason = text(message["errorMessage"]);
  if (message["stopReason"] === "aborted") return [h("p", { class: "note" }, "Aborted")];
  return reason === "" ? [] : [h("p", { class: "note bad" }, reason)];
}

function usageLine(message: Fields): Node {
  const usage = record(message["usage"]);
  const cost = number(record(usage["cost"])["total"]);
  const cached = number(usage["cacheRead"]);
  const facts = [
    text(message["model"]),
    `${count(number(usage["input"]) + cached + number(usage["cacheWrite"]))} in`,
    cached > 0 && `${count(cached)} cached`,
    `${count(number(usage["output"]))} out`,
    cost > 0 && money(cost),
    number(message["duration"]) > 0 && duration(number(message["duration"])),
  ];
  return h("p", { class: "usage" }, facts.filter(Boolean).join(" · "));
}

function execution(entry: Entry, prompt: string, code: string): readonly Node[] {
  const { message } = entry;
  const state =
    message["cancelled"] === true
      ? "cancelled"
      : number(message["exitCode"]) === 0
        ? ""
        : `exit code ${number(message["exitCode"])}`;
  const hidden = message["excludeFromContext"] === true ? "not sent to the model" : "";
  const notes = [state, hidden].filter(Boolean).join(" · ");
  return [
    head(entry, "You ran"),
    terminal(prompt, code, text(message["output"])),
    ...(notes ? [h("p", { class: "note" }, notes)] : []),
  ];
}

function mentioned(file: Fields): Node {
  const path = text(file["path"]);
  return fold(
    [h("span", { class: "tool-name" }, "file"), h("span", { class: "tool-brief" }, path)],
    () => codeBlock(text(file["content"]), path.split(".").at(-1) ?? "", path),
    { class: "tool" },
  );
}

function said(content: unknown): readonly Node[] {
  const words = textsOf(content).filter((part) => part.trim() !== "");
  return [...words.map(markdown), ...images(content)];
}

function head(entry: Entry, name: string): Node {
  const time = text(entry.fields["timestamp"]);
  return h(
    "header",
    { class: "who" },
    h("h2", {}, name),
    h(
      "a",
      { class: "time", href: `#entry-${entry.id}`, title: "Link to this message" },
      h("time", { datetime: time }, clock(time)),
    ),
    copyButton(
      () => textsOf(entry.message["content"] ?? entry.fields["content"]).join("\n\n"),
      "message",
    ),
  );
}

function divider(name: string, summary: unknown): readonly Node[] {
  if (text(summary) === "") return [h("div", { class: "divider" }, h("span", {}, name))];
  return [fold([h("span", {}, name)], () => markdown(text(summary)), { class: "divider" })];
}

function aside(words: string): Node {
  return h("p", { class: "aside" }, words);
}

function labelOf({ id }: Entry, { session, results }: EntryContext): readonly Node[] {
  const own = session.labels.get(id);
  const calls = session.byId.get(id);
  const ofResults = calls
    ? callsOf(calls).map((call) => results.get(text(call["id"]))?.id ?? "")
    : [];
  const labels = [own, ...ofResults.map((result) => session.labels.get(result))].filter(
    (label) => label !== undefined,
  );
  return labels.map((label) => h("p", { class: "label" }, label));
}

/** Where the conversation went several ways, each first entry says which one it is. */
function branchSwitch(entry: Entry, { session, switchTo }: EntryContext): readonly Node[] {
  const siblings = session.children.get(entry.parentId) ?? [];
  if (siblings.length < 2) return [];
  const at = siblings.findIndex(({ id }) => id === entry.id);
  const step = (by: number, sign: string, name: string) => {
    const target = siblings[at + by];
    const element = h(
      "button",
      { type: "button", "aria-label": name, disabled: target === undefined },
      sign,
    );
    element.addEventListener("click", () => target && switchTo(target.id));
    return element;
  };
  return [
    h(
      "nav",
      { class: "branches", "aria-label": "Branches" },
      step(-1, "‹", "Previous branch"),
      `Branch ${at + 1} of ${siblings.length}`,
      step(1, "›", "Next branch"),
    ),
  ];
}
