/** Slash commands and prompt templates from Markdown files: `commands/*.md` and `prompts/*.md`. */

import type { Trust, UiNotice } from "@omp/agent";
import { HostError, type Files, type Processes } from "@omp/host";
import { messageOf, UserError } from "@omp/std";
import { basename, dirname, join } from "node:path";
import { realpathSync } from "node:fs";
import { parseMarkdown } from "./front-matter.ts";
import { ignoredByGit } from "./git-ignored.ts";
import type { SlashCommand } from "./slash-command.ts";
import { fillTemplate } from "./template.ts";

export interface FileCommandDeps {
  readonly cwd: string;
  /** The person's own folder, `~/.omp/agent`. */
  readonly agentDir: string;
  readonly trust: Trust;
  readonly files: Files;
  readonly processes: Processes;
  readonly childEnvironment: Readonly<Record<string, string>>;
  tell(notice: UiNotice): void;
}

export interface FileCommand extends SlashCommand {
  readonly source: "project" | "user";
}

export interface FileCommands {
  /** The stronger source first; equal names are all there. */
  readonly commands: readonly FileCommand[];
  /** Names in a project that nobody has trusted: known, and not used. */
  readonly untrusted: ReadonlySet<string>;
}

const MAX_BYTES = 1024 * 1024;

/** A file that cannot be used is a warning; the others are there. */
export async function loadFileCommands(
  kind: "commands" | "prompts",
  deps: FileCommandDeps,
): Promise<FileCommands> {
  const folders = { project: join(deps.cwd, ".omp", kind), user: join(deps.agentDir, kind) };
  const projectFiles = await markdownFiles(folders.project, deps);
  const isTrusted =
    projectFiles.length > 0 && (await deps.trust.isFolderTrusted(realpathSync(deps.cwd)));
  const found = [
    ...(isTrusted ? await load(projectFiles, "project", deps) : []),
    ...(await load(await markdownFiles(folders.user, deps), "user", deps)),
  ];
  return { commands: found, untrusted: new Set(isTrusted ? [] : projectFiles.map(nameOf)) };
}

/** Only `*.md` right in the folder, without hidden ones. */
async function markdownFiles(folder: string, { files, tell }: FileCommandDeps): Promise<string[]> {
  try {
    const entries = await files.list(folder);
    return entries
      .filter(({ name, kind }) => name.endsWith(".md") && !name.startsWith(".") && isReadable(kind))
      .map(({ name }) => join(folder, name));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.kind !== "not-found") {
      tell({ level: "warning", text: `Commands of ${folder} are not used: ${error.message}` });
    }
    return [];
  }
}

function isReadable(kind: string): boolean {
  return kind === "file" || kind === "symlink";
}

async function load(
  paths: readonly string[],
  source: FileCommand["source"],
  deps: FileCommandDeps,
): Promise<FileCommand[]> {
  if (paths.length === 0) return [];
  const ignored = await ignoredByGit(dirname(paths[0]!), paths, deps);
  const commands = paths
    .filter((path) => !ignored.has(path))
    .map((path) => loadOne(path, source, deps));
  return (await Promise.all(commands)).flat();
}

async function loadOne(
  path: string,
  source: FileCommand["source"],
  { files, tell }: FileCommandDeps,
): Promise<FileCommand[]> {
  const warn = (text: string) => tell({ level: "warning", text: `${path}: ${text}` });
  try {
    const text = new TextDecoder().decode(await files.read(path, { maxBytes: MAX_BYTES }));
    const { fields, body, problem } = parseMarkdown(text);
    if (body.trim() === "") throw new UserError("bad-input", "it has no text");
    if (problem !== undefined) warn(`the front matter is not YAML (${problem}); read line by line`);
    const hint = fields["argument-hint"];
    return [
      {
        name: nameOf(path),
        description: describe(fields["description"], body),
        ...(typeof hint === "string" && { argumentHint: hint }),
        source,
        run: async (args) => ({ kind: "prompt", text: fillTemplate(body.trim(), args) }),
      },
    ];
  } catch (error) {
    warn(`not used: ${messageOf(error)}`);
    return [];
  }
}

function nameOf(path: string): string {
  return basename(path, ".md");
}

const MAX_DESCRIPTION = 60;

/** What the file says of itself, else its first line. */
function describe(said: unknown, body: string): string {
  if (typeof said === "string" && said.trim() !== "") return said.trim();
  const first = body.split("\n").find((line) => line.trim() !== "");
  const line = (first ?? "").trim();
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 3)}...` : line;
}
