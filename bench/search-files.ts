/**
 * What finding and searching files cost: `node script/bun.mjs bench/search-files.ts`.
 *
 * A repository of 100,000 files, 40,000 of them ignored. A literal and a regular expression through the
 * search tool against ripgrep run by hand, and the newest files through the find tool against
 * `rg --files --sortr modified`; samples interleaved. Compared is the best of each: on a machine that
 * others use, the rest of the samples tells of them.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createFiles,
  createProcesses,
  createRipgrep,
  createScans,
  createSearch,
  ripgrepProgram,
} from "@omp/host";
import { seededRandom, systemClock } from "@omp/std";
import { createSnapshots, tools, type Hosts } from "@omp/tools";
import { timed } from "./measure.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 12);
const WORDS = "alpha beta gamma create Element render Error value count index return".split(" ");
const FIGURES = [
  { name: "literal", tool: "search", input: { pattern: "createElement" }, reach: 1.15 },
  { name: "regex", tool: "search", input: { pattern: "[A-Z]\\w+Error\\(" }, reach: 1.15 },
  { name: "newest", tool: "find", input: { paths: ["."] }, reach: 0.8 },
] as const;

const root = mkdtempSync(join(tmpdir(), "omp-bench-"));
const cwd = join(root, "tree");
const processes = createProcesses({ clock: systemClock });
const program = ripgrepProgram({ folder: join(root, "cache") });
try {
  plant();
  const hosts = hostsOf();
  for (const figure of FIGURES) await measure(figure, hosts);
} finally {
  await processes[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
}

async function measure(figure: (typeof FIGURES)[number], hosts: Hosts): Promise<void> {
  const own: number[] = [];
  const theirs: number[] = [];
  const run = await tools.find(({ name }) => name === figure.tool)!.load();
  const call = { id: "", cwd, signal: new AbortController().signal, report() {} };
  for (let sample = 0; sample <= SAMPLES; sample++) {
    const ours = () => timed(() => run(figure.input, call, hosts));
    const byHand = () => timed(() => byHandOf(figure));
    // The first of each fills the caches of the system. Who comes second finds another machine.
    if (sample === 0) await Promise.all([ours(), byHand()]);
    else if (sample % 2 === 0) {
      own.push(await ours());
      theirs.push(await byHand());
    } else {
      theirs.push(await byHand());
      own.push(await ours());
    }
  }
  const [ours, least] = [Math.min(...own), Math.min(...theirs)];
  const ratio = ours / least;
  const verdict = ratio <= figure.reach ? "ok" : "MISSED";
  console.log(
    `${figure.name}: ${ours.toFixed(0)} ms, by hand ${least.toFixed(0)} ms, ratio ${ratio.toFixed(2)}, reach ${figure.reach}  ${verdict}`,
  );
}

async function byHandOf(figure: (typeof FIGURES)[number]): Promise<void> {
  const args =
    figure.tool === "find"
      ? ["--files", "--sortr", "modified"]
      : ["-n", "-e", figure.input.pattern];
  const child = Bun.spawn([await program(), "--hidden", "--glob=!.git", ...args, "."], {
    cwd,
    stdin: "ignore",
    stdout: "pipe",
  });
  await child.stdout.bytes();
  await child.exited;
}

/** What these two tools ask for. */
function hostsOf(): Hosts {
  const ripgrep = createRipgrep({ processes, environment: { HOME: root }, program });
  const hosts: Partial<Hosts> = {
    files: createFiles({ home: root }),
    scans: createScans({ clock: systemClock, git: { home: root }, environment: {} }),
    search: createSearch(ripgrep, { before: 1, after: 3 }),
    snapshots: createSnapshots(),
    resources: {
      isInternal: () => false,
      find: () => Promise.reject(new Error("none")),
      writable: () => Promise.reject(new Error("none")),
    },
    editing: { showsAnchors: true } as Hosts["editing"],
  };
  return hosts as Hosts;
}

function plant(): void {
  const random = seededRandom(1);
  const line = () =>
    Array.from({ length: 2 + Math.floor(random.next() * 7) }, () => {
      return WORDS[Math.floor(random.next() * WORDS.length)]!;
    }).join(" ");
  for (let index = 0; index < 100; index++) {
    const base = join(cwd, `packages/p${index}`);
    for (let part = 0; part < 20; part++) {
      const folder = join(base, `src/m${part}`);
      mkdirSync(folder, { recursive: true });
      for (let file = 0; file < 30; file++) {
        const lines = Array.from({ length: 20 + Math.floor(random.next() * 100) }, line);
        if (random.next() < 0.01) lines.push("createElement('x')");
        if (random.next() < 0.02) lines.push("throw new TypeError('x')");
        writeFileSync(join(folder, `f${file}.ts`), lines.join("\n"));
      }
    }
    for (let part = 0; part < 8; part++) {
      const folder = join(base, `out/x${part}`);
      mkdirSync(folder, { recursive: true });
      for (let file = 0; file < 50; file++)
        writeFileSync(join(folder, `g${file}.js`), "createElement\n");
    }
    writeFileSync(join(base, ".gitignore"), "out/\n*.log\n!keep.log\n");
  }
  writeFileSync(join(cwd, ".gitignore"), "node_modules/\n*.tmp\n/build\n.env*\n!.env.example\n");
  mkdirSync(join(cwd, ".git"));
}
