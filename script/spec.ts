/** `npm run spec`: which requirement rows are claimed by tests. `--missing <file or prefix>` lists those that are not. */

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Must, should, nice to have. */
export type Level = "M" | "S" | "N";

export interface Row {
  readonly id: string;
  readonly file: string;
  readonly level: Level;
  readonly text: string;
}

export interface Claims {
  readonly claimed: ReadonlySet<string>;
  /** Ids that docs/waiting.md leaves to a later part. */
  readonly waiting: ReadonlySet<string>;
}

const ID = "[A-Z][A-Z0-9]*-[A-Z]?\\d+[a-z]?";
const ROW = new RegExp(`^\\|\\s*\`?(${ID})\`?\\s*\\|(.*)\\|\\s*([^|]*?)\\s*\\|\\s*$`);
/** test("BASH-07 BASH-08 text"), also it, describe, .each(...) and .concurrent. */
const TEST_NAME = new RegExp(
  `\\b(?:test|it|describe)(?:\\.\\w+)*(?:\\([^()]*\\))?\\(\\s*["'\`]((?:${ID}[ ,:+]*)+)`,
  "g",
);
/** ids: ["BASH-07", "BASH-08"] in a file of cases. */
const CASE_LIST = new RegExp(`^\\s*(?:id|ids|spec):\\s*[["'\`]+((?:${ID}[ ,"'\`]*)+)`, "gm");

export function readRows(file: string, text: string): Row[] {
  return text.split("\n").flatMap((line) => {
    const [, id, cells = "", last = ""] = ROW.exec(line) ?? [];
    if (id === undefined) return [];
    const level = last[0] === "S" || last[0] === "N" ? last[0] : "M";
    return [{ id, file, level, text: cells.split(" | ")[0]!.trim() } as const];
  });
}

export function readClaims(source: string): string[] {
  return [...source.matchAll(TEST_NAME), ...source.matchAll(CASE_LIST)].flatMap(([, ids = ""]) =>
    readIds(ids),
  );
}

function readIds(text: string): string[] {
  return text.match(new RegExp(ID, "g")) ?? [];
}

/** One line per file with a claim, then ids that no row has, then the sum. */
export function summary(rows: readonly Row[], claims: Claims): string[] {
  const known = new Set(rows.map((row) => row.id));
  const unknown = [...claims.claimed].filter((id) => !known.has(id)).sort();
  const files = [...new Set(rows.map((row) => row.file))];
  const lines = files.flatMap((file) => {
    const own = rows.filter((row) => row.file === file);
    return own.some((row) => claims.claimed.has(row.id)) ? [count(file, own, claims)] : [];
  });
  if (unknown.length > 0) lines.push(`ids that no row has: ${unknown.join(" ")}`);
  return [...lines, count("all", rows, claims)];
}

function count(title: string, rows: readonly Row[], { claimed, waiting }: Claims): string {
  const levels = (["M", "S", "N"] as const).map((level) => {
    const own = rows.filter((row) => row.level === level);
    const done = own.filter((row) => claimed.has(row.id)).length;
    return `${level} ${`${done}/${own.length}`.padEnd(9)}`;
  });
  const late = rows.filter((row) => row.level === "M" && waiting.has(row.id)).length;
  const tail = late > 0 ? `M waiting ${late}` : "";
  return `${title.padEnd(34)} ${levels.join(" ")} ${tail}`.trimEnd();
}

/** Rows that must be and are not: `wanted` is the beginning of a file name, or of ids. */
export function missing(rows: readonly Row[], claims: Claims, wanted: string): Row[] {
  return rows.filter(
    (row) =>
      row.level === "M" &&
      !claims.claimed.has(row.id) &&
      !claims.waiting.has(row.id) &&
      (row.file.startsWith(wanted) || row.id.startsWith(`${wanted}-`)),
  );
}

async function readSpec(folder: string): Promise<Row[]> {
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  const texts = await Promise.all(
    names.sort().map(async (name) => readRows(name, await Bun.file(join(folder, name)).text())),
  );
  return texts.flat();
}

async function readProject(root: string): Promise<Claims> {
  const glob = new Bun.Glob("{packages,script,test,bench}/**/*.{test,spec,cases}.{ts,tsx,js,mjs}");
  const paths = (await Array.fromAsync(glob.scan({ cwd: root }))).filter(
    (path) => !path.includes("node_modules/"),
  );
  const claims = await Promise.all(
    paths.map(async (path) => readClaims(await Bun.file(join(root, path)).text())),
  );
  const claimed = new Set(claims.flat());
  const notes = Bun.file(join(root, "docs/waiting.md"));
  const waiting = readIds((await notes.exists()) ? await notes.text() : "");
  return { claimed, waiting: new Set(waiting.filter((id) => !claimed.has(id))) };
}

async function main(args: readonly string[]): Promise<number> {
  const root = resolve(import.meta.dir, "..");
  const folder = resolve(root, "../shared/spec");
  if (!existsSync(folder)) {
    console.log("The requirement rows (../shared/spec) are not on this machine; nothing to count.");
    return 0;
  }
  const [rows, claims] = await Promise.all([readSpec(folder), readProject(root)]);
  const flag = args.indexOf("--missing");
  if (flag < 0) {
    for (const line of summary(rows, claims)) console.log(line);
    return 0;
  }
  const wanted = args[flag + 1];
  if (wanted === undefined) {
    console.error("--missing needs the beginning of a file name (tool-read) or of ids (READ)");
    return 2;
  }
  for (const row of missing(rows, claims, wanted))
    console.log(`${row.id}\t${row.text.slice(0, 140)}`);
  return 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
