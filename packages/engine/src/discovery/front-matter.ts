/** The block of `key: value` lines between `---` at the beginning of a Markdown file. */

import { messageOf } from "@omp/std";

export interface MarkdownFile {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Why the block is not YAML; then its lines were read one by one. */
  readonly problem?: string;
}

const BLOCK = /^\uFEFF?---[ \t]*\r?\n((?:[^]*?\r?\n)??)---[ \t]*(?:\r?\n|$)/;

export function parseMarkdown(text: string): MarkdownFile {
  const block = BLOCK.exec(text);
  if (!block) return { fields: {}, body: text };
  const body = text.slice(block[0].length);
  try {
    const fields: unknown = Bun.YAML.parse(block[1]!);
    return { fields: isRecord(fields) ? fields : {}, body };
  } catch (error) {
    return { fields: readLines(block[1]!), body, problem: messageOf(error) };
  }
}

/** Only words: `true` and `false` are what they say, so that a flag is not lost with the block. */
function readLines(block: string): Record<string, string | boolean> {
  const pairs = block.split(/\r?\n/).flatMap((line) => {
    const found = /^([\w-]+)\s*:\s*(.*)$/.exec(line);
    return found ? [[found[1]!, plainValue(found[2]!.trim())]] : [];
  });
  return Object.fromEntries(pairs);
}

function plainValue(text: string): string | boolean {
  if (text === "true" || text === "false") return text === "true";
  return text.replace(/^(["'])(.*)\1$/, "$2");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
