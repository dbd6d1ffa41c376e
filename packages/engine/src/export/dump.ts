/** The whole conversation as plain text, for the clipboard: what the model was told, and what came of it. Pure. */

import type { SessionEntry } from "@omp/session";
import type { ExportExtras } from "./data.ts";
import { passagesOf, type Part } from "./passages.ts";

export interface DumpFacts extends Required<Pick<ExportExtras, "systemPrompt" | "tools">> {
  readonly model: { readonly provider: string; readonly id: string };
  readonly thinkingLevel: string;
}

/** Undefined when nothing was said yet. */
export function dumpText(branch: readonly SessionEntry[], facts: DumpFacts): string | undefined {
  const passages = passagesOf(branch);
  if (passages.length === 0) return undefined;
  const { systemPrompt, tools, model, thinkingLevel } = facts;
  const blocks = [
    block("System prompt", systemPrompt.trim()),
    block("Model", `${model.provider}/${model.id}\nThinking level: ${thinkingLevel}`),
    block("Tools", tools.map(toolText).join("\n\n")),
    ...passages.map(({ heading, parts }) => block(heading, parts.map(plain).join("\n\n"))),
  ];
  return blocks.join("\n");
}

function block(heading: string, text: string): string {
  return `=== ${heading} ===\n\n${text}\n`;
}

function toolText({ name, description, parameters }: DumpFacts["tools"][number]): string {
  return `--- ${name} ---\n${description}\nParameters: ${JSON.stringify(parameters, null, 2)}`;
}

function plain(part: Part): string {
  switch (part.kind) {
    case "prose":
    case "verbatim":
      return part.text.trimEnd();
    case "thinking":
      return `[thinking]\n${part.text.trimEnd()}\n[/thinking]`;
    case "call":
      return `[tool call: ${part.name}]\n${inputText(part.input)}`;
    case "note":
      return `[${part.text}]`;
    case "image":
      return `[image: ${part.mimeType}]`;
  }
}

function inputText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input, null, 2);
}
