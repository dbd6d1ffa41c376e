/** What stands above a conversation: its title, its facts, what the model was told. */

import { codeBlock } from "./code.ts";
import { fold, h } from "./dom.ts";
import { records, text, type Fields } from "./fields.ts";
import { count, moment, money, plural } from "./format.ts";
import { markdown } from "./markdown.ts";
import { totalsOf, type Entry, type Session } from "./session.ts";
import { agentLink } from "./tool-card.ts";

export interface IntroOptions {
  readonly session: Session;
  readonly branch: readonly Entry[];
  /** The name of the subagent that is shown, if it is one. */
  readonly agent: string | undefined;
  readonly subagents: readonly string[];
  readonly content: Fields;
}

export function introNodes({
  session,
  branch,
  agent,
  subagents,
  content,
}: IntroOptions): readonly Node[] {
  const { header } = session;
  const time = text(header["timestamp"]);
  const back = h("a", { class: "back", href: "#" }, "← Back to the session");
  return [
    ...(agent === undefined ? [] : [back]),
    h("h1", {}, agent ?? titleOf(session)),
    h(
      "p",
      { class: "facts" },
      h("time", { datetime: time }, moment(time)),
      ...facts(session, branch),
    ),
    ...totals(session, branch),
    ...(agent === undefined ? told(content) : []),
    ...(agent === undefined && subagents.length > 0 ? [agentList(subagents)] : []),
  ];
}

export function titleOf({ header, entries }: Session): string {
  const first = entries.find(({ role }) => role === "user");
  const content = first?.message["content"];
  const words = typeof content === "string" ? content : text(records(content)[0]?.["text"]);
  const line = words.trim().split("\n")[0] ?? "";
  return text(header["title"]) || (line.length > 90 ? `${line.slice(0, 88)}…` : line) || "Session";
}

function facts({ header }: Session, branch: readonly Entry[]): readonly Node[] {
  const models = new Set(branch.map(({ message }) => text(message["model"])).filter(Boolean));
  const words = [text(header["cwd"]), [...models].join(", ")].filter(Boolean);
  return words.map((fact) => h("span", {}, fact));
}

function totals(session: Session, branch: readonly Entry[]): readonly Node[] {
  const all = totalsOf(session.entries);
  const here = totalsOf(branch);
  const prompts = branch.filter(({ role }) => role === "user").length;
  const figures: readonly (readonly [string, string])[] = [
    [plural(prompts, "prompt").replace(/^(\S+) /, "$1\u00a0"), "on this branch"],
    [count(here.input + here.cacheRead + here.cacheWrite), "tokens in"],
    [count(here.output), "tokens out"],
    [
      money(here.cost),
      all.answers === here.answers ? "cost" : `cost · ${money(all.cost)} in all branches`,
    ],
  ];
  const list = figures.map(([value, name]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)));
  return [h("dl", { class: "totals" }, ...list)];
}

function told(content: Fields): readonly Node[] {
  const prompt = text(content["systemPrompt"]);
  const tools = records(content["tools"]);
  return [
    ...(prompt === ""
      ? []
      : [
          fold([h("span", { class: "tool-name" }, "System prompt")], () => markdown(prompt), {
            class: "told",
          }),
        ]),
    ...(tools.length === 0
      ? []
      : [
          fold(
            [h("span", { class: "tool-name" }, plural(tools.length, "tool"))],
            () => toolList(tools),
            { class: "told" },
          ),
        ]),
  ];
}

function toolList(tools: readonly Fields[]): Node {
  const items = tools.map((tool) =>
    fold(
      [h("span", { class: "tool-name" }, text(tool["name"]))],
      () => {
        const parameters = codeBlock(
          JSON.stringify(tool["parameters"], null, 2),
          "json",
          "parameters",
        );
        return h("div", {}, markdown(text(tool["description"])), parameters);
      },
      { class: "told" },
    ),
  );
  return h("div", { class: "tool-list" }, ...items);
}

function agentList(names: readonly string[]): Node {
  return h(
    "nav",
    { class: "agents", "aria-label": "Subagents" },
    h("span", {}, "Subagents"),
    ...names.map(agentLink),
  );
}
