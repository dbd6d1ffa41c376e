/** `omp context`: what the model knows before the first word, as text or as one JSON document. */

import { openContext, type ContextReport, type ContextRow } from "@omp/engine/boot";
import { sanitize } from "@omp/std";
import { relative, resolve } from "node:path";
import type { CommandRun } from "../cli/command.ts";
import { createOutput } from "../headless/output.ts";
import { note, STDOUT, streamKind } from "../headless/streams.ts";

export const runContext: CommandRun = async (invocation, surroundings) => {
  const { cwd, startedIn, home, environment } = surroundings;
  const report = await openContext({
    cwd,
    home,
    environment,
    settings: invocation.settings,
    configFiles: invocation.configFiles.map((path) => resolve(startedIn, path)),
  });
  for (const { place, text } of report.warnings) note(`warning: ${place}: ${text}`);
  const isJson = invocation.options["json"] !== undefined;
  const text = isJson ? `${JSON.stringify(report, null, 2)}\n` : textOf(report, cwd, home);
  const output = createOutput(() => {});
  output.write((await streamKind(STDOUT)) === "terminal" ? sanitize(text) : text);
  await output.flush();
  return 0;
};

function textOf({ tokens, rows }: ContextReport, cwd: string, home: string): string {
  const groups = Map.groupBy(rows, ({ kind }) => kind);
  const parts = [...groups].map(([kind, members]) => {
    const lines = members.map((row) => `  ${lineOf(row, cwd, home)}\n`);
    return `\n${kind}\n${lines.join("")}`;
  });
  const total = tokens.systemPrompt + tokens.tools;
  const sum = `system prompt ~${tokens.systemPrompt}, tools ~${tokens.tools}, together ~${total} tokens\n`;
  return sum + parts.join("");
}

function lineOf(row: ContextRow, cwd: string, home: string): string {
  const { name, level, source, tokens, shadowedBy } = row;
  const size = tokens === undefined ? "" : `, ~${tokens} tokens`;
  const hidden = shadowedBy === undefined ? "" : `, hidden by ${shortened(shadowedBy, cwd, home)}`;
  return `${name} (${source}, ${level}${size}${hidden}) ${shortened(row.path, cwd, home)}`;
}

function shortened(path: string, cwd: string, home: string): string {
  const way = relative(cwd, path);
  if (!way.startsWith("..")) return way;
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
