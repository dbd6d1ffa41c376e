/** Code, terminals and changes as nodes. */

import { copyButton, h } from "./dom.ts";
import { highlight } from "./highlight.ts";
import type { DiffLine } from "./lines.ts";

export function codeBlock(code: string, language: string, label = language): HTMLElement {
  const pieces = highlight(code.replace(/\n$/, ""), language).map(({ text, scope }) =>
    scope === undefined ? new Text(text) : h("span", { class: `hl-${scope.split(".")[0]}` }, text),
  );
  const head = h(
    "div",
    { class: "code-head" },
    h("span", {}, label),
    copyButton(() => code, "code"),
  );
  return h("div", { class: "code" }, head, scroller(h("code", {}, ...pieces)));
}

/** What was typed and what came of it. */
export function terminal(prompt: string, command: string, output: string): HTMLElement {
  const typed = h(
    "span",
    { class: "typed" },
    h("span", { class: "prompt" }, prompt),
    command,
    "\n",
  );
  const head = h(
    "div",
    { class: "code-head" },
    h("span", {}, "terminal"),
    copyButton(() => command, "command"),
  );
  return h("div", { class: "code terminal" }, head, scroller(h("code", {}, typed, plain(output))));
}

const SIGNS = { added: "+", removed: "−", same: " ", gap: "⋯" } as const;

export function changes(lines: readonly DiffLine[], label: string): HTMLElement {
  const rows = lines.map(({ kind, text }) =>
    h(
      "span",
      { class: `line ${kind}` },
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[kind]),
      `${text}\n`,
    ),
  );
  const added = lines.filter(({ kind }) => kind === "added").length;
  const removed = lines.filter(({ kind }) => kind === "removed").length;
  const head = h(
    "div",
    { class: "code-head" },
    h("span", {}, label),
    h("span", { class: "delta" }, `+${added} −${removed}`),
  );
  return h("div", { class: "code diff" }, head, scroller(h("code", {}, ...rows)));
}

/** Who has no mouse must be able to scroll too. */
function scroller(content: HTMLElement): HTMLElement {
  return h("pre", { tabindex: "0" }, content);
}

/** Without the sequences that colour a terminal. */
export function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(
    /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g,
    "",
  );
}
