/** Random trees and random questions: what find, search and the walk say is what fd, ripgrep and git say. */

import { ToolFailure, type Tool } from "@omp/agent";
import type { Random } from "@omp/std";
import type { Campaign } from "@omp/testkit";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createWorkbench, type Workbench } from "../test/workbench.ts";
import { find } from "../src/find/tool.ts";
import { search } from "../src/search/tool.ts";
import type { Hosts } from "../src/shared/hosts.ts";

const TREES = 50;
const FOLDERS = ["", "src", "src/a", "src/b", "lib", "lib/deep/er", ".hid", "build", "a b"];
const STEMS = ["a", "b", "ab", "index", "x[1]", "é", ".env", "no-te"];
const ENDINGS = ["", ".ts", ".js", ".test.ts", ".log", ".md"];
const WORDS = ["foo", "bar", "Foo", "foo(", "${x}", "a.b", "é", "TODO:", "x = 1", "end", "\tx"];
const IGNORES = [
  "*.log",
  "build/",
  "/lib",
  "!keep.log",
  "src/**/b",
  "*.md",
  "!*.md",
  "a?",
  "[ab].ts",
];
const PATTERNS = [
  ...["foo", "Foo", "fo+", "^foo", "end$", "ba[rz]", "a\\.b", "\\bfoo\\b", "foo|bar", "\\s=\\s"],
  ...["(?i)todo", "é", "x = \\d", "\\(", "[^a-z ]", "^$", "foo.*end", "\\$\\{x\\}", "\\t"],
];
const GLOBS = [
  ...["*.ts", "*.{ts,js}", "**/*.md", "src/*.ts", "src/**/*.ts", "*", "src", "[ab]*", "a?.ts"],
  ...["src/{a,b}/*", "lib/**/*", "*.test.*", "**/index*", "{src,lib}/**/*.log", "src/*/a*"],
];

const campaign: Campaign = {
  name: "search-oracle",
  describe: "search finds what rg finds, find what fd finds, and both leave out what git ignores.",
  fullCount: 10_000,
  async run({ count, random, report }) {
    for (const program of ["git", "fdfind"]) {
      if (!Bun.which(program)) throw new Error(`${program} is not installed`);
    }
    for (let done = 0; done < count;) {
      await using bench = createWorkbench();
      plant(bench, random);
      const until = Math.min(count, done + Math.ceil(count / TREES));
      for (; done < until; done++) {
        const { question, why } = await ask(bench, random, done);
        const name = `${done}: ${question}`;
        report(why ? { case: name, result: "failed", why } : { case: name, result: "passed" });
      }
    }
  },
};

export default campaign;

interface Verdict {
  readonly question: string;
  /** Undefined when both say the same. */
  readonly why: string | undefined;
}

function ask(bench: Workbench, random: Random, index: number): Promise<Verdict> {
  switch (index % 3) {
    case 0:
      return askSearch(bench, random);
    case 1:
      return askFind(bench, random);
    default:
      return askWalk(bench, random);
  }
}

/** Every line that matches, page by page, against ripgrep by hand. */
async function askSearch(bench: Workbench, random: Random): Promise<Verdict> {
  const pattern = chance(random, 0.7) ? pick(random, PATTERNS) : escaped(pick(random, WORDS));
  const i = chance(random, 0.3);
  const folder = pick(random, [".", ".", "src", "lib"]);
  const rg = (await import("@omp/host")).ripgrepProgram({ folder: "/nonexistent" });
  const said = await output(bench, [
    await rg(),
    ...["--no-config", "--hidden", "--no-heading", "--with-filename", "--line-number"],
    ...["--no-require-git", "--glob=!.git", "--color=never", ...(i ? ["-i"] : [])],
    ...["-e", pattern, folder],
  ]);
  const wanted = said.map((line) => /^(?:\.\/)?(.*?:\d+):/.exec(line)![1]!);
  const found: string[] = [];
  for (let skip: number | undefined = 0; skip !== undefined;) {
    const { text } = await call(bench, search, { pattern, i, skip, paths: [folder] });
    found.push(...linesIn(text));
    const next: string | undefined = /Use skip=(\d+) for/.exec(text)?.[1];
    skip = next === undefined ? undefined : Number(next);
  }
  return compare(`search ${JSON.stringify({ pattern, i, folder })}`, found, wanted);
}

function linesIn(text: string): string[] {
  let path = "";
  return text.split("\n").flatMap((row) => {
    const header = /^¶(.*)#[0-9A-F]{4}$/.exec(row);
    if (header) path = header[1]!;
    const line = header ? undefined : /^\*(\d+):/.exec(row)?.[1];
    return line === undefined ? [] : [`${path}:${line}`];
  });
}

/** Every glob that fd understands in the same way, against fd. */
async function askFind(bench: Workbench, random: Random): Promise<Verdict> {
  const glob = pick(random, GLOBS);
  const hidden = chance(random, 0.6);
  const isFolder = glob === "src";
  const pattern = glob.includes("/") || isFolder ? glob : `**/${glob}`;
  const said = await output(bench, [
    ...["fdfind", "--type=f", "--color=never", "--exclude=.git"],
    ...(hidden ? ["--hidden"] : []),
    ...["--full-path", "--glob", join(bench.cwd, isFolder ? "src/**" : pattern)],
    // A folder that is named is looked into, even an ignored one.
    /^[a-z]+(?=\/|$)/.exec(glob)?.[0] ?? ".",
  ]);
  const { text } = await call(bench, find, { paths: [glob], hidden });
  const found = text === "No files found matching pattern" ? [] : text.split("\n");
  // To fd a file that a `!` wants back is not hidden any more.
  const wanted = said.map(plainPath).filter((path) => hidden || !/(?:^|\/)\./.test(path));
  return compare(`find ${JSON.stringify({ glob, hidden })}`, found, wanted);
}

/** Everything that is there, against git. */
async function askWalk(bench: Workbench, random: Random): Promise<Verdict> {
  const where = pick(random, ["", "src/", "lib/deep/", ".hid/"]);
  const text = ignoreText(random);
  bench.file(`${where}.gitignore`, text);
  const said = await output(bench, [
    ...["git", "-c", "core.quotePath=off", "ls-files", "-co", "--exclude-standard"],
  ]);
  const listed = await call(bench, find, { paths: ["."] });
  const found = listed.text === "No files found matching pattern" ? [] : listed.text.split("\n");
  return compare(`walk ${JSON.stringify({ where, text })}`, found, said);
}

function compare(question: string, found: readonly string[], wanted: readonly string[]): Verdict {
  const [ours, theirs] = [new Set(found), new Set(wanted)];
  const extra = found.filter((one) => !theirs.has(one));
  const lost = wanted.filter((one) => !ours.has(one));
  const isTwice = found.length !== ours.size;
  const isSame = extra.length === 0 && lost.length === 0 && !isTwice;
  const some = (list: readonly string[]) => list.slice(0, 3).join(", ");
  const why = `too many: ${some(extra)}; too few: ${some(lost)}; twice: ${isTwice}`;
  return { question, why: isSame ? undefined : why };
}

async function call(bench: Workbench, tool: Tool<Hosts>, input: object) {
  const result = await bench.call(tool, input);
  if (result.isError) throw new ToolFailure(result.text);
  return result;
}

async function output(bench: Workbench, command: readonly string[]): Promise<readonly string[]> {
  const child = Bun.spawn([...command], {
    cwd: bench.cwd,
    env: { PATH: process.env["PATH"], HOME: bench.home, LC_ALL: "C.UTF-8" },
    stdin: "ignore",
    stderr: "ignore",
  });
  const text = await child.stdout.text();
  await child.exited;
  return text.split("\n").filter((line) => line !== "");
}

function plainPath(path: string): string {
  return path.replace(/^\.\//, "");
}

/** Few enough files and matches that no limit of a page cuts one off. */
function plant(bench: Workbench, random: Random): void {
  Bun.spawnSync(["git", "init", "-q"], {
    cwd: bench.cwd,
    env: { ...process.env, HOME: bench.home },
  });
  for (const folder of FOLDERS) mkdirSync(join(bench.cwd, folder), { recursive: true });
  for (let index = 0; index < 60; index++) {
    const name = join(pick(random, FOLDERS), pick(random, STEMS) + pick(random, ENDINGS));
    if (!FOLDERS.includes(name)) bench.file(name, someText(random));
  }
  bench.file(".gitignore", ignoreText(random));
  bench.file("src/.gitignore", ignoreText(random));
}

function someText(random: Random): string {
  const lines = Array.from({ length: Math.floor(random.next() * 12) }, () =>
    Array.from({ length: Math.floor(random.next() * 4) }, () => pick(random, WORDS)).join(" "),
  );
  return lines.join(chance(random, 0.1) ? "\r\n" : "\n") + (chance(random, 0.8) ? "\n" : "");
}

function ignoreText(random: Random): string {
  return IGNORES.filter(() => chance(random, 0.25)).join("\n");
}

function escaped(text: string): string {
  return text.replace(/[$()[\]{}.*+?^|\\]/g, "\\$&");
}

function chance(random: Random, share: number): boolean {
  return random.next() < share;
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random.next() * values.length)]!;
}
