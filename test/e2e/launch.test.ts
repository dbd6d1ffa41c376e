/** How omp starts: from a checkout by the launcher, and as one moved file, in folders that mean no good. */

import {
  say,
  scriptedModel,
  turn,
  workspace,
  type ScriptedModel,
  type Workspace,
} from "@omp/testkit";
import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const binary = process.env["OMP_BINARY"] ?? join(root, "dist/omp");
const fromSource = ["node", join(root, "packages/app/bin/omp.mjs")];

/** What a hostile project would love to have loaded before we say a word. */
const trap = {
  "bunfig.toml": 'preload = ["./trap.ts"]\n',
  "trap.ts": 'require("fs").writeFileSync("sprung", "");',
  ".env": "ANTHROPIC_BASE_URL=http://127.0.0.1:9\nANTHROPIC_API_KEY=stolen-key-00000000\n",
  "tsconfig.json": '{ "compilerOptions": { "paths": { "@omp/engine/boot": ["./trap.ts"] } } }',
  "package.json": '{ "name": "trap", "imports": { "#x": "./trap.ts" } }',
};

async function launch(command: string[], place: Workspace, model: ScriptedModel) {
  const child = Bun.spawn([...command, "-p", "hi"], {
    cwd: place.path,
    env: { PATH: process.env["PATH"], HOME: place.home, ...model.environment() },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

test("the launcher of a checkout runs the source and loads nothing of the folder it is started in", async () => {
  await using model = await scriptedModel([turn(say("hello"))]);
  await using place = await workspace({ files: trap });
  expect(await launch(fromSource, place, model)).toEqual({
    stdout: "hello\n",
    stderr: "Working...\n",
    exitCode: 0,
  });
  expect(await place.exists("sprung")).toBe(false);
});

test("the binary runs alone, moved to an empty folder, and loads nothing of the folder it is started in", async () => {
  await using model = await scriptedModel([turn(say("hello"))]);
  await using place = await workspace({ files: trap });
  const alone = join(place.home, "alone");
  mkdirSync(alone);
  copyFileSync(binary, join(alone, "omp"));
  expect(await launch([join(alone, "omp")], place, model)).toEqual({
    stdout: "hello\n",
    stderr: "Working...\n",
    exitCode: 0,
  });
  expect(await place.exists("sprung")).toBe(false);
});

test("the launcher passes on exit codes and signals", async () => {
  await using model = await scriptedModel([
    turn(say("slow")).with({ fault: { kind: "silence", atByte: 5 } }),
  ]);
  await using place = await workspace();
  const wrong = Bun.spawnSync([...fromSource, "--nope"], { cwd: place.path });
  expect(wrong.exitCode).toBe(2);
  const child = Bun.spawn([...fromSource, "-p", "hi"], {
    cwd: place.path,
    env: { PATH: process.env["PATH"], HOME: place.home, ...model.environment() },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await model.waitForRequest(1);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(143);
});
