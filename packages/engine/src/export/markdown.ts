/** A session as Markdown that reads well and cannot be broken out of. Pure. */

import { branchOf, indexById } from "@omp/session";
import type { ExportData } from "./data.ts";
import { passagesOf, type Part, type Passage } from "./passages.ts";

/** Pieces of the document: the active branch, root to leaf. */
export function* markdownParts({ header, entries, leafId }: ExportData): Generator<string> {
  yield `# ${oneLine(header.title ?? `Session of ${header.timestamp.slice(0, 10)}`)}\n\n`;
  yield `${header.timestamp} · ${codeSpan(header.cwd)} · session ${codeSpan(header.id)}\n`;
  for (const passage of passagesOf(branchOf(indexById(entries), leafId))) {
    yield section(passage);
  }
}

function section({ heading, parts }: Passage): string {
  return `\n## ${oneLine(heading)}\n\n${parts.map(written).join("\n\n")}\n`;
}

function written(part: Part): string {
  switch (part.kind) {
    case "prose":
      return closed(part.text.trim());
    case "thinking":
      return quoted(`_Thinking_\n\n${closed(part.text.trim())}`);
    case "verbatim":
      return fenced(part.text, part.language ?? "");
    case "call":
      return `**${oneLine(part.name)}**\n\n${fenced(inputText(part.input), typeof part.input === "string" ? "" : "json")}`;
    case "note":
      return `_${oneLine(part.text)}_`;
    case "image":
      return picture(part.mimeType, part.data);
  }
}

/** A fence longer than every run of backticks inside: no content can end it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** HTML that goes on until its own end, however many sections follow. */
const ENDLESS = /^( {0,3})(?=<(?:script|pre|style|textarea|[!?]))/i;

/** What a text opens and never closes would swallow what follows: fences are closed, HTML is made plain. */
function closed(text: string): string {
  let open: string | undefined;
  const lines = text.split("\n").map((line) => {
    const [, run = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined && run === "") return line.replace(ENDLESS, "$1\\");
    if (open === undefined) open = run;
    else if (run[0] === open[0] && run.length >= open.length && rest.trim() === "")
      open = undefined;
    return line;
  });
  return [...lines, ...(open === undefined ? [] : [open])].join("\n");
}

function quoted(text: string): string {
  return text.replace(/^/gm, "> ");
}

/** One line, with what would be read as markup or HTML made plain. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>#|]/g, "\\$&");
}

function codeSpan(text: string): string {
  return fencedInline(text.replace(/\s+/g, " "));
}

function fencedInline(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function picture(mimeType: string, data: string): string {
  if (!/^image\/[\w.+-]+$/.test(mimeType) || !BASE64.test(data)) return "_Image_";
  return `![Image](data:${mimeType};base64,${data})`;
}

function inputText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input, null, 2);
}
