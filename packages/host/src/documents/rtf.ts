/** Rich text (.rtf) as plain text. */

import { HostError } from "../errors.ts";

/** Groups that hold no text of the document. */
const OTHER = /^(?:fonttbl|colortbl|stylesheet|info|pict|object|header\w?|footer\w?|generator|\*)$/;
const WORDS: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  page: "\n\n",
  row: "\n",
  tab: "\t",
  cell: "\t",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
};
const TOKEN = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z0-9])|([{}])|[\r\n]+|[^\\{}\r\n]+/gi;

interface Group {
  isHidden: boolean;
  /** Characters that stand for one of `\u` where that cannot be shown. */
  skip: number;
}

export function rtfText(bytes: Uint8Array): string {
  const source = Buffer.from(bytes).toString("latin1");
  if (!source.startsWith("{\\rtf")) throw new HostError("damaged", "it is no rich text");
  const groups: Group[] = [];
  let group: Group = { isHidden: false, skip: 1 };
  let text = "";
  let skipped = 0;
  const add = (part: string): void => {
    const left = part.slice(Math.min(skipped, part.length));
    skipped = Math.max(0, skipped - part.length);
    if (!group.isHidden) text += left;
  };
  for (const [token, word, value, code, symbol, brace] of source.matchAll(TOKEN)) {
    if (brace === "{") groups.push({ ...group });
    else if (brace === "}") group = groups.pop() ?? group;
    else if (code !== undefined)
      add(new TextDecoder("windows-1252").decode(Uint8Array.fromHex(code)));
    else if (word === "u" && value !== undefined) {
      add(String.fromCharCode(Number(value) & 0xffff));
      skipped = group.skip;
    } else if (word === "uc") group.skip = Number(value ?? 1);
    else if (word !== undefined && OTHER.test(word)) group.isHidden = true;
    else if (word !== undefined) add(WORDS[word] ?? "");
    else if (symbol === "*") group.isHidden = true;
    else if (symbol !== undefined) add(symbol === "~" ? " " : /[\\{}]/.test(symbol) ? symbol : "");
    else if (!/^[\r\n]/.test(token)) add(token);
  }
  return text.trim();
}
