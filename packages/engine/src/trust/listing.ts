/** Finds the pieces of a project by looking at known places; reads data, runs nothing. */

import { messageOf } from "@omp/std";
import { extname, join } from "node:path";
import { readSmallFile } from "../environment/small-file.ts";
import { dangerousIn, valueAt } from "./dangerous.ts";
import { entriesOf, isExecutable, isFile, isFolder } from "./look.ts";
import type { Piece } from "./piece.ts";
import {
  COMMAND_FOLDERS,
  DATA,
  MANIFEST_FOLDERS,
  MANIFESTS,
  PROGRAM_ENDINGS,
  PROGRAMS,
  type DataPlace,
} from "./places.ts";

/** @param folder one folder; whoever looks up the tree calls it for each */
export function listPieces(folder: string): readonly Piece[] {
  return [
    ...PROGRAMS.flatMap(({ kind, folder: place, why }) =>
      programsIn(join(folder, place)).map((path) => ({ kind, path, why })),
    ),
    ...COMMAND_FOLDERS.flatMap((place) => shellCommandsIn(join(folder, place))),
    ...MANIFEST_FOLDERS.flatMap((place) => manifestsIn(join(folder, place))),
    ...DATA.flatMap((place) => piecesOfData(folder, place)),
    ...packagePieces(folder),
  ];
}

function programsIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (isFolder(path)) return indexOf(path);
    return PROGRAM_ENDINGS.test(entry.name) || isExecutable(path) ? [path] : [];
  });
}

function indexOf(folder: string): string[] {
  const index = entriesOf(folder).find(({ name }) => /^index\.[mc]?[jt]sx?$/.test(name));
  return index ? [join(folder, index.name)] : [];
}

/** A prompt is text; one with a command in it is a program. */
function shellCommandsIn(folder: string): Piece[] {
  return entriesOf(folder)
    .filter(({ name }) => /\.(?:md|toml)$/.test(name))
    .flatMap(({ name }) => shellCommand(join(folder, name)));
}

export function shellCommand(path: string): Piece[] {
  const text = readQuietly(path) ?? "";
  if (!/!`|!\{|^[ \t]*!/m.test(text) && !/^(?:allowed-tools|hooks):/m.test(text)) return [];
  return [{ kind: "slash-command", path, why: "runs a shell command when it is typed" }];
}

function manifestsIn(folder: string): Piece[] {
  return entriesOf(folder).flatMap(({ name }) =>
    MANIFESTS.map((manifest) => join(folder, name, manifest))
      .filter(isFile)
      .map((path) => ({ kind: "extension", path, why: "brings code, servers or settings" })),
  );
}

function piecesOfData(folder: string, { path, servers }: DataPlace): Piece[] {
  return dataPieces(join(folder, path), servers);
}

/** What is dangerous in a file of settings, and each server it lists under one of the names. */
export function dataPieces(path: string, servers: readonly string[] = []): Piece[] {
  const text = readQuietly(path);
  if (text === undefined) return [];
  const parsed = parseData(path, text);
  if (parsed.problem !== undefined) {
    return [{ kind: "settings", path, why: `cannot be checked (${parsed.problem})` }];
  }
  const { value } = parsed;
  if (!isRecord(value)) return [];
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !servers.includes(key)));
  return [...servers.flatMap((key) => serversOf(path, value[key])), ...settingsPiece(path, rest)];
}

function serversOf(path: string, servers: unknown): Piece[] {
  if (!isRecord(servers)) return [];
  return Object.entries(servers).map(([name, definition]) => ({
    kind: "mcp-server",
    path,
    name,
    why: serverWhy(definition),
    fields: isRecord(definition) ? definition : { definition },
  }));
}

export function serverWhy(definition: unknown): string {
  if (!isRecord(definition)) return "starts a server";
  const { command, args, url } = definition;
  if (typeof url === "string") return `connects to ${url}`;
  const words = [command, args].flat().filter((word) => typeof word === "string");
  return words.length === 0 ? "starts a server" : `runs ${words.join(" ")}`;
}

/** The dangerous fields only: a new colour scheme is no reason to ask again. */
function settingsPiece(path: string, settings: Readonly<Record<string, unknown>>): Piece[] {
  const dangers = dangerousIn(settings);
  if (dangers.length === 0) return [];
  const fields = dangers.map((danger) => [danger.path, valueAt(settings, danger.path)]);
  const why = dangers.map((danger) => `${danger.path} ${danger.why}`).join(", ");
  return [{ kind: "settings", path, why, fields: Object.fromEntries(fields) }];
}

/** A package may call itself an extension of ours. */
function packagePieces(folder: string): Piece[] {
  const path = join(folder, "package.json");
  const { value } = parseData(path, readQuietly(path) ?? "{}");
  if (!isRecord(value)) return [];
  return ["omp", "pi"].flatMap((key) => {
    const fields = value[key];
    if (!isRecord(fields)) return [];
    return [{ kind: "extension", path, name: key, why: "names extensions to load", fields }];
  });
}

interface Parsed {
  readonly value?: unknown;
  readonly problem?: string;
}

function parseData(path: string, text: string): Parsed {
  try {
    const value: unknown = parserFor(path)(text);
    return isHuge(value) ? { problem: "too much in it" } : { value };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function parserFor(path: string): (text: string) => unknown {
  switch (extname(path)) {
    case ".toml":
      return (text) => Bun.TOML.parse(text);
    case ".yml":
    case ".yaml":
      return (text) => Bun.YAML.parse(text);
    default:
      return (text) => Bun.JSONC.parse(text);
  }
}

const MAX_VALUES = 50_000;

/** A few lines of YAML can stand for more values than there are atoms, or contain themselves. */
function isHuge(root: unknown): boolean {
  const waiting = [root];
  for (let count = 0; waiting.length > 0; count++) {
    if (count > MAX_VALUES) return true;
    const value = waiting.pop();
    if (typeof value === "object" && value !== null) waiting.push(...Object.values(value));
  }
  return false;
}

function readQuietly(path: string): string | undefined {
  return readSmallFile(path, () => {});
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
