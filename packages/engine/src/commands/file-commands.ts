/** Slash commands and prompt templates from Markdown files, wherever they were found. */

import type { Trust, UiNotice } from "@omp/agent";
import type { Discovery } from "../discovery/discovery.ts";
import type { MarkdownItem } from "../discovery/item.ts";
import { realpathSync } from "node:fs";
import type { SlashCommand } from "./slash-command.ts";
import { fillTemplate } from "./template.ts";

export interface FileCommandDeps {
  readonly cwd: string;
  readonly trust: Trust;
  readonly discovery: Pick<Discovery, "find">;
  tell(notice: UiNotice): void;
}

export interface FileCommand extends SlashCommand {
  /** Where it comes from, for lists. */
  readonly source: string;
}

export interface FileCommands {
  /** Each name once. */
  readonly commands: readonly FileCommand[];
  /** Names in a project that nobody has trusted: known, and not used. */
  readonly untrusted: ReadonlySet<string>;
}

export async function loadFileCommands(
  kind: "slash-command" | "prompt",
  { cwd, trust, discovery, tell }: FileCommandDeps,
): Promise<FileCommands> {
  const { items, shadowed, warnings } = discovery.find(kind);
  for (const { place, text } of warnings) tell({ level: "warning", text: `${place}: ${text}` });
  const all = [...items, ...shadowed.map(({ item }) => item)];
  const isTrusted = all.some(isOfProject) && (await trust.isFolderTrusted(realpathSync(cwd)));
  // What is hidden by a command that nobody trusts is used in its place.
  const usable = isTrusted ? items : strongest(all.filter((item) => !isOfProject(item)));
  return {
    commands: usable.map(commandOf),
    untrusted: new Set(isTrusted ? [] : all.filter(isOfProject).map(({ name }) => name)),
  };
}

function isOfProject({ level }: MarkdownItem): boolean {
  return level === "project";
}

/** Those that are hidden follow in the order of their strength. */
function strongest(items: readonly MarkdownItem[]): readonly MarkdownItem[] {
  const names = new Set<string>();
  return items.filter(({ name }) => names.size < names.add(name).size);
}

function commandOf(item: MarkdownItem): FileCommand {
  const { name, fields, body } = item;
  const hint = fields["argument-hint"];
  return {
    name,
    description: describe(fields["description"], body),
    ...(typeof hint === "string" && { argumentHint: hint }),
    source: originOf(item),
    run: async (args) => ({ kind: "prompt", text: fillTemplate(body.trim(), args) }),
  };
}

function originOf({ source, sourceName, level }: MarkdownItem): string {
  if (source === "native") return level;
  return `via ${sourceName} ${level === "user" ? "User" : "Project"}`;
}

const MAX_DESCRIPTION = 60;

/** What the file says of itself, else its first line. */
function describe(said: unknown, body: string): string {
  if (typeof said === "string" && said.trim() !== "") return said.trim();
  const first = body.split("\n").find((line) => line.trim() !== "");
  const line = (first ?? "").trim();
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 3)}...` : line;
}
