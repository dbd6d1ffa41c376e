/** The campaign script in a small repository of its own. */

import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { workspace, type Workspace } from "../src/index.ts";

const ROOT = join(import.meta.dir, "../../..");

test("without a name it lists what it finds in both places", async () => {
  await using place = await repository();
  const { stdout, exitCode } = await run(place);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^even +4 {2}Half of all numbers are even\.\nfine +4 {2}All is well\.\n$/);
});

test("results are merged into bench/campaigns.json with seed, commit and date", async () => {
  await using place = await repository();
  const old = { passed: 1, total: 1, seed: 1, commit: "c", date: "d" };
  await place.write("bench/campaigns.json", JSON.stringify({ other: old }));
  expect(await run(place, "fine", "--seed", "9")).toMatchObject({
    stdout: "fine: 4 of 4 passed (seed 9)\n",
    exitCode: 0,
  });
  const kept = await results(place);
  expect(Object.keys(kept)).toEqual(["fine", "other"]);
  expect(kept.other).toEqual(old);
  const commit = await place.git("rev-parse", "HEAD");
  expect(kept.fine).toMatchObject({ passed: 4, total: 4, seed: 9, commit });
  expect(new Date(String(kept.fine?.date)).toISOString()).toBe(String(kept.fine?.date));
});

test("failures are printed, counted and make it fail; work that is not committed is marked", async () => {
  await using place = await repository();
  await place.write("uncommitted.txt", "");
  expect(await run(place, "even", "--seed", "9", "--count", "3")).toMatchObject({
    stdout: "FAILED 1: odd\nFAILED 2: skipped: too large\neven: 1 of 3 passed (seed 9)\n",
    exitCode: 1,
  });
  const { even } = await results(place);
  expect(even).toMatchObject({ passed: 1, total: 3 });
  expect(String(even?.commit)).toEndWith("-dirty");
});

test.each([
  [["nope", "--seed", "1"], 'There is no campaign "nope".'],
  [["fine"], "A campaign needs a seed."],
  [["fine", "--seed", "x"], '--seed must be a whole number, not "x".'],
  [["fine", "7", "200"], "Usage: npm run campaign -- <name>"],
  [["fine", "--sede", "1"], "Usage: npm run campaign -- <name>"],
])("%p is wrong usage and keeps nothing", async (args, message) => {
  await using place = await repository();
  const { stderr, exitCode } = await run(place, ...args);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
  expect(place.exists("bench/campaigns.json")).toBe(false);
});

const FINE = `export default {
  name: "fine", describe: "All is well.", fullCount: 4,
  async run({ count, report }) {
    for (let i = 0; i < count; i++) report({ case: String(i), result: "passed" });
  },
};`;

const EVEN = `export default {
  name: "even", describe: "Half of all numbers are even.", fullCount: 4,
  async run({ report }) {
    report({ case: "0", result: "passed" });
    report({ case: "1", result: "failed", why: "odd" });
    report({ case: "2", result: "skipped", why: "too large" });
  },
};`;

async function repository(): Promise<Workspace> {
  const place = await workspace({
    git: true,
    files: {
      "script/campaign.ts": await readFile(join(ROOT, "script/campaign.ts")),
      "packages/a/campaigns/even.ts": EVEN,
      "test/campaigns/fine.ts": FINE,
      ".gitignore": "node_modules\n",
    },
  });
  await symlink(join(ROOT, "node_modules"), join(place.path, "node_modules"));
  return place;
}

async function run(place: Workspace, ...args: readonly string[]) {
  const script = Bun.spawn([process.execPath, "script/campaign.ts", ...args], {
    cwd: place.path,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([script.stdout.text(), script.stderr.text()]);
  return { stdout, stderr, exitCode: await script.exited };
}

async function results(place: Workspace): Promise<Record<string, Record<string, unknown>>> {
  return JSON.parse(await place.read("bench/campaigns.json"));
}
