/** Listings of real folders, and when they are made anew. Walks are counted by what only a fresh one can see. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { manualClock } from "@omp/testkit";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProcesses } from "../process/processes.ts";
import { createShell } from "../shell/shell.ts";
import { systemClock } from "@omp/std";
import { createFiles } from "./files.ts";
import { createScans, type ScanRequest } from "./scan-cache.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "omp-scan-")));
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (name: string) => writeFileSync(join(root, name), "");

function scene(environment: Record<string, string> = {}) {
  const clock = manualClock();
  const scans = createScans({ clock, git: { home: "/nonexistent" }, environment });
  const ask = (more: Partial<ScanRequest> = {}): ScanRequest => ({
    root,
    hidden: true,
    ignores: true,
    nodeModules: false,
    cache: true,
    ...more,
  });
  const names = async (more?: Partial<ScanRequest>) =>
    (await scans.scan(ask(more))).entries.map(({ path }) => path.slice(root.length + 1));
  const has = async (name: string, more?: Partial<ScanRequest>) => {
    const pick = (entries: readonly { path: string }[]) =>
      entries.filter(({ path }) => path.endsWith(`/${name}`));
    return (await scans.select(ask(more), pick)).length > 0;
  };
  return { clock, scans, ask, names, has };
}

test("FSC-01 FSC-02 one walk for all patterns, another for other flags", async () => {
  const { names, has } = scene();
  put("a");
  expect(await has("a")).toBe(true);
  put("b");
  expect(await names()).toEqual(["a"]);
  expect(await has("a")).toBe(true);
  expect(await names({ hidden: false })).toEqual(["a", "b"]);
  expect(await names({ ignores: false })).toEqual(["a", "b"]);
  expect(await names({ nodeModules: true })).toEqual(["a", "b"]);
  expect(await names()).toEqual(["a"]);
});

test("FSC-03 sorted, without .git, links as such with their own time", async () => {
  for (const folder of ["z", ".git", "node_modules"]) mkdirSync(join(root, folder));
  put("b");
  put("z/a");
  put(".git/x");
  put("node_modules/y");
  symlinkSync("..", join(root, "z/loop"));
  utimesSync(join(root, "b"), 1000, 1000);
  const { scans, ask } = scene();
  const { entries } = await scans.scan(ask());
  expect(entries.map(({ path, kind }) => [path.slice(root.length + 1), kind])).toEqual([
    ["b", "file"],
    ["z", "directory"],
    ["z/a", "file"],
    ["z/loop", "symlink"],
  ]);
  expect(entries[0]!.modifiedMs).toBe(1_000_000);
});

test("FSC-04 the root is a folder, by its real path", async () => {
  const { scans, ask, names } = scene();
  put("a");
  symlinkSync(".", join(root, "self"));
  expect(await names({ root: join(root, "self") })).toEqual(["a", "self"]);
  put("b");
  expect(await names()).toEqual(["a", "self"]);
  await expect(scans.scan(ask({ root: join(root, "none") }))).rejects.toMatchObject({
    kind: "not-found",
  });
  await expect(scans.scan(ask({ root: join(root, "a") }))).rejects.toMatchObject({
    kind: "not-a-directory",
  });
});

test("FSC-06 without a time to live nothing is kept", async () => {
  const { names } = scene({ FS_SCAN_CACHE_TTL_MS: "0" });
  expect(await names()).toEqual([]);
  put("a");
  expect(await names()).toEqual(["a"]);
});

test("FSC-07 recheck and number of listings come from the environment", async () => {
  const { names, has } = scene({ FS_SCAN_EMPTY_RECHECK_MS: "0", FS_SCAN_CACHE_MAX_ENTRIES: "1" });
  expect(await has("a")).toBe(false);
  put("a");
  expect(await has("a")).toBe(true);
  put("b");
  expect(await names()).toEqual(["a"]);
  mkdirSync(join(root, "sub"));
  await names({ root: join(root, "sub") });
  expect(await names()).toEqual(["a", "b", "sub"]);
});

test("FSC-08 a listing lives for a second and knows its age", async () => {
  const { clock, scans, ask, names } = scene();
  expect(await scans.scan(ask())).toMatchObject({ entries: [], ageMs: 0 });
  put("a");
  clock.advance(999);
  expect(await scans.scan(ask())).toMatchObject({ entries: [], ageMs: 999 });
  clock.advance(2);
  expect(await names()).toEqual(["a"]);
});

test("FSC-09 the seventeenth listing drops the oldest", async () => {
  const { names } = scene();
  for (let index = 0; index < 17; index++) mkdirSync(join(root, `d${index}`));
  for (let index = 0; index < 17; index++) await names({ root: join(root, `d${index}`) });
  for (const index of [0, 1]) writeFileSync(join(root, `d${index}/new`), "");
  expect(await names({ root: join(root, "d1") })).toEqual([]);
  expect(await names({ root: join(root, "d0") })).toEqual(["d0/new"]);
});

test("FSC-10 an aged listing without a hit is made anew, once", async () => {
  const { clock, has, names } = scene();
  expect(await has("late")).toBe(false);
  put("late");
  clock.advance(199);
  expect(await has("late")).toBe(false);
  clock.advance(1);
  expect(await has("late")).toBe(true);
  put("later");
  expect(await has("nothing")).toBe(false);
  expect(await names()).toEqual(["late"]);
});

const WRONG = ["abc", "-1"];
test.each(WRONG)("FSC-13 %s is no number of milliseconds", async (value) => {
  const { clock, names } = scene({ FS_SCAN_CACHE_TTL_MS: value });
  await names();
  put("a");
  clock.advance(500);
  expect(await names()).toEqual([]);
  clock.advance(501);
  expect(await names()).toEqual(["a"]);
});

test("FSC-14 who does not ask for the cache gets a walk, and leaves none behind", async () => {
  const { names } = scene();
  expect(await names({ cache: false })).toEqual([]);
  put("a");
  expect(await names({ cache: false })).toEqual(["a"]);
  put("b");
  expect(await names()).toEqual(["a", "b"]);
  put("c");
  expect(await names()).toEqual(["a", "b"]);
  expect(await names({ cache: false })).toEqual(["a", "b", "c"]);
});

test("FSC-18 what lies below a root drops its listing, and no other", async () => {
  const { scans, names } = scene();
  for (const folder of ["b", "bc"]) mkdirSync(join(root, folder));
  const listings = async () => [
    await names({ root: join(root, "b") }),
    await names({ root: join(root, "bc") }),
  ];
  await listings();
  for (const folder of ["b", "bc"]) put(`${folder}/new`);
  scans.forget(join(root, "b/new"));
  expect(await listings()).toEqual([["b/new"], []]);
  scans.forget();
  expect(await listings()).toEqual([["b/new"], ["bc/new"]]);
});

test("FSC-19 a path through a link, and of what is gone, is understood", async () => {
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  put("real/a");
  const { scans, names } = scene();
  const listing = () => names({ root: join(root, "link") });
  expect(await listing()).toEqual(["real/a"]);
  rmSync(join(root, "real/a"));
  scans.forget(join(root, "link/a"));
  expect(await listing()).toEqual([]);
});

test("FSC-21 after a command everything may be different", async () => {
  const { scans, names } = scene();
  await using processes = createProcesses({ clock: systemClock });
  const environment = { PATH: "/usr/bin:/bin" };
  const shell = createShell({ processes, environment, afterRun: () => scans.forget() });
  expect(await names()).toEqual([]);
  await shell.run("touch x", { cwd: root });
  expect(await names()).toEqual(["x"]);
});

test("a write and a removal through the one door are seen at once", async () => {
  const { scans, names } = scene();
  const files = createFiles({ home: root, afterChange: (path) => scans.forget(path) });
  expect(await names()).toEqual([]);
  await files.write(join(root, "a/b"), "x");
  expect(await names()).toEqual(["a", "a/b"]);
  await files.remove(join(root, "a/b"));
  expect(await names()).toEqual(["a"]);
});

test("FSC-23 who asks at the same time waits for the same walk", async () => {
  const { scans, ask } = scene();
  put("a");
  const [one, two] = await Promise.all([scans.scan(ask()), scans.scan(ask())]);
  expect(two.entries).toBe(one.entries);
});

test("FSC-24 an abort ends the waiting, and the walk when nobody waits; nothing is kept", async () => {
  for (let index = 0; index < 4000; index++) mkdirSync(join(root, `d${index}`));
  const { scans, ask, names } = scene();
  const controller = new AbortController();
  const patient = scans.scan(ask());
  const hasty = scans.scan(ask({ signal: controller.signal }));
  controller.abort();
  await expect(hasty).rejects.toMatchObject({ name: "AbortError" });
  expect((await patient).entries).toHaveLength(4000);
  scans.forget();
  const second = new AbortController();
  const alone = scans.scan(ask({ signal: second.signal }));
  second.abort();
  await expect(alone).rejects.toMatchObject({ name: "AbortError" });
  put("new");
  expect(await names()).toContain("new");
});
