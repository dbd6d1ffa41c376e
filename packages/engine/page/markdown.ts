/** Markdown as nodes. HTML in it is shown as the text it is; nothing is ever read as HTML. */

import { Lexer, type Token, type Tokens } from "marked";
import { codeBlock } from "./code.ts";
import { h } from "./dom.ts";

/** Reading Markdown takes time that grows with its length; what is longer is no message but a file. */
const MAX_LENGTH = 200_000;

export function markdown(source: string): HTMLElement {
  const box = h("div", { class: "md" });
  if (source.length > MAX_LENGTH) box.append(codeBlock(source, ""));
  else box.append(...blocks(new Lexer({ gfm: true }).lex(source)));
  return box;
}

function blocks(tokens: readonly Token[]): Node[] {
  return tokens.flatMap((token) => block(token));
}

function block(token: Token): Node[] {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return [heading(token as Tokens.Heading)];
    case "code":
      return [codeBlock(token["text"], String(token["lang"] ?? "").split(/\s/)[0] ?? "")];
    case "blockquote":
      return [h("blockquote", {}, ...blocks(token.tokens ?? []))];
    case "list":
      return [list(token as Tokens.List)];
    case "table":
      return [table(token as Tokens.Table)];
    case "hr":
      return [h("hr")];
    case "paragraph":
      return [h("p", {}, ...inlines(token.tokens))];
    case "html":
      return [h("p", { class: "raw" }, token.raw.trim())];
    default:
      return inline(token);
  }
}

/** Messages stand under headings of the page itself, so theirs begin further down. */
function heading({ depth, tokens }: Tokens.Heading): HTMLElement {
  const level = Math.min(6, depth + 2) as 3 | 4 | 5 | 6;
  return h(`h${level}`, { class: `depth-${depth}` }, ...inlines(tokens));
}

function list({ ordered, start, items, loose }: Tokens.List): HTMLElement {
  const rows = items.map((item) => {
    const children = loose ? blocks(item.tokens) : item.tokens.flatMap(tight);
    return h("li", item.task ? { class: "task" } : {}, ...children);
  });
  if (!ordered) return h("ul", {}, ...rows);
  return h("ol", typeof start === "number" && start !== 1 ? { start: String(start) } : {}, ...rows);
}

/** In a list without blank lines, text stands in the item itself. */
function tight(token: Token): Node[] {
  return token.type === "text" ? inlines(token.tokens ?? [token]) : block(token);
}

function table({ header, rows }: Tokens.Table): HTMLElement {
  const cell = (tag: "td" | "th") => (of: Tokens.TableCell) =>
    h(tag, of.align ? { class: `align-${of.align}` } : {}, ...inlines(of.tokens));
  const body = rows.map((row) => h("tr", {}, ...row.map(cell("td"))));
  const grid = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...header.map(cell("th")))),
    h("tbody", {}, ...body),
  );
  return h("div", { class: "table", tabindex: "0", role: "group", "aria-label": "Table" }, grid);
}

function inlines(tokens: readonly Token[] | undefined): Node[] {
  return (tokens ?? []).flatMap(inline);
}

function inline(token: Token): Node[] {
  switch (token.type) {
    case "strong":
      return [h("strong", {}, ...inlines(token.tokens))];
    case "em":
      return [h("em", {}, ...inlines(token.tokens))];
    case "del":
      return [h("del", {}, ...inlines(token.tokens))];
    case "codespan":
      return [h("code", {}, token["text"])];
    case "br":
      return [h("br")];
    case "link":
      return [link(token as Tokens.Link)];
    case "image":
      return [picture(token as Tokens.Image)];
    case "checkbox":
      return [h("span", { class: "box" }, token["checked"] ? "☑ " : "☐ ")];
    case "html":
      return [new Text(token.raw)];
    case "text":
      if (token.tokens) return inlines(token.tokens);
      return [new Text(decoded(token["text"]))];
    case "escape":
      return [new Text(token["text"])];
    default:
      return [new Text(token.raw)];
  }
}

/** Where a reader may be sent. Anything else is shown as it was written. */
const SAFE = /^(?:https?:\/\/|mailto:)/i;

function link({ href, tokens, raw }: Tokens.Link): Node {
  if (!SAFE.test(href)) return new Text(raw);
  return h(
    "a",
    { href, target: "_blank", rel: "noopener noreferrer nofollow" },
    ...inlines(tokens),
  );
}

/** A picture elsewhere is not fetched: who reads a session is nobody's business. */
function picture({ href, text, raw }: Tokens.Image): Node {
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(href))
    return h("img", { src: href, alt: text });
  if (!SAFE.test(href)) return new Text(raw);
  return h(
    "a",
    { href, target: "_blank", rel: "noopener noreferrer nofollow" },
    `🖼 ${text || href}`,
  );
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  rarr: "→",
  larr: "←",
  copy: "©",
  times: "×",
};

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (all, decimal, hex, name) => {
      if (name) return NAMED[String(name)] ?? all;
      const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}
