/**
 * What a project full of other tools' files costs at the start: `node script/bun.mjs bench/discovery.ts`.
 *
 * Exec to the arrival of the first model request, in an empty folder and in a repository with 30 files of
 * configuration, 200 rules and 2,000 source files; a ratio to the floor of `run.ts`, samples interleaved.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildBinary } from "../script/build.ts";
import { startModelServer } from "./model-server.ts";
import { median } from "./measure.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 15);
const REACH = { empty: 2.5, full: 5 } as const;
const root = join(import.meta.dir, "..");
const scratch = mkdtempSync(join(tmpdir(), "omp-bench-"));
const omp = process.env["OMP_BINARY"] ?? join(scratch, "omp");
const floor = join(scratch, "floor");
if (omp === join(scratch, "omp")) {
  await buildBinary({ entry: join(root, "packages/app/src/main.ts"), outfile: omp });
}
await buildBinary({ entry: join(root, "bench/floor.ts"), outfile: floor });
using server = startModelServer();

const folders = { empty: join(scratch, "empty"), full: join(scratch, "full") };
mkdirSync(folders.empty);
fill(folders.full);
const times: Record<string, number[]> = { floor: [], empty: [], full: [] };
for (let index = 0; index < SAMPLES; index++) {
  times["floor"]!.push(await firstRequest(floor, folders.empty));
  times["empty"]!.push(await firstRequest(omp, folders.empty));
  times["full"]!.push(await firstRequest(omp, folders.full));
}
const least = median(times["floor"]!);
for (const name of ["empty", "full"] as const) {
  const time = median(times[name]!);
  const ratio = time / least;
  const verdict = ratio <= REACH[name] ? "ok" : "MISSED";
  console.log(
    `${name}: ${time.toFixed(1)} ms, floor ${least.toFixed(1)} ms, ratio ${ratio.toFixed(2)}, reach ${REACH[name]} ${verdict}`,
  );
}
rmSync(scratch, { recursive: true });

async function firstRequest(binary: string, cwd: string): Promise<number> {
  server.expect(0);
  const start = performance.now();
  const child = Bun.spawn([binary, "-p", "hi"], {
    cwd,
    env: {
      PATH: process.env["PATH"],
      HOME: mkdtempSync(join(scratch, "home-")),
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "bench-key-00000000",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  await child.stdout.text();
  const problems = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`${binary}: ${problems}`);
  return server.arrivals[0]! - start;
}

function fill(folder: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(join(folder, ".git"), { recursive: true });
  write(".gitignore", "node_modules/\ndist/\n*.log\n.env\ncoverage/\n*.tmp\n!keep.tmp\n");
  write("AGENTS.md", "Use tabs. See @docs/style.md.\n");
  write("docs/style.md", "Be brief.\n");
  write("packages/p1/AGENTS.md", "Careful here.\n");
  write(".claude/CLAUDE.md", "Be kind.\n");
  write(".gemini/GEMINI.md", "Be quick.\n");
  write(".github/copilot-instructions.md", "Be right.\n");
  write(".clinerules", "Be calm.\n");
  for (const [index, base] of [".omp", ".claude", ".codex", ".gemini", ".agents"].entries()) {
    for (let number = 0; number < 3; number++) {
      const name = `s${index}-${number}`;
      write(`${base}/skills/${name}/SKILL.md`, `---\ndescription: skill ${name}\n---\nDo it.\n`);
    }
    write(`${base}/commands/c${index}.md`, "Do it.\n");
  }
  for (const path of [".omp/mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", "mcp.json"]) {
    write(path, '{ "mcpServers": { "a": { "command": "a" } } }\n');
  }
  for (let index = 0; index < 200; index++) {
    const place = index % 2 === 0 ? ".omp/rules" : ".cursor/rules";
    const head = `description: rule ${index}\nglobs: ["*.ts"]\nalwaysApply: ${index % 20 === 0}`;
    write(`${place}/r${index}.mdc`, `---\n${head}\n---\nDo this and not that, ${index} times.\n`);
  }
  for (let index = 0; index < 2000; index++) {
    write(`packages/p${index % 40}/src/m${index % 7}/f${index}.ts`, "export {};\n");
  }
}
