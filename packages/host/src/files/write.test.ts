/** Files are changed whole or not at all, with all that belongs to them. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleCampaign } from "@omp/testkit";
import { needs } from "../../../../test/needs.ts";
import atomicWrites from "../../campaigns/atomic-writes.ts";
import { createFiles, type FileChange } from "../index.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "omp-write-"));
  path = join(folder, "a.txt");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const files = createFiles({ home: "/home/me" });
const read = (name = path) => fs.readFileSync(name, "utf8");

describe("what belongs to a file stays", () => {
  test("other names keep the old content, and the report counts them", async () => {
    fs.writeFileSync(path, "old");
    fs.linkSync(path, join(folder, "other"));
    expect(await files.write(path, "new")).toEqual({ isNew: false, otherNames: 1 });
    expect(read(join(folder, "other"))).toBe("old");
    expect(await files.write(join(folder, "b"), "x")).toEqual({ isNew: true, otherNames: 0 });
  });

  test("a link to a file elsewhere, or to none yet, is written through", async () => {
    const target = join(folder, "elsewhere", "real");
    fs.mkdirSync(join(folder, "elsewhere"));
    fs.symlinkSync(join("elsewhere", "real"), join(folder, "link"));
    await files.write(join(folder, "link"), "first");
    await files.write(join(folder, "link"), "second");
    expect(read(target)).toBe("second");
    expect(fs.lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
  });

  test("a file that nobody may write is refused, also to those who may do anything", async () => {
    fs.writeFileSync(path, "old", { mode: 0o444 });
    await expect(files.write(path, "new")).rejects.toMatchObject({ kind: "permission" });
    await expect(files.remove(path)).rejects.toMatchObject({ kind: "permission" });
    expect(read()).toBe("old");
  });

  needs("python3")("extended attributes stay", async () => {
    fs.writeFileSync(path, "old");
    const set = `import os,sys; os.setxattr(sys.argv[1], "user.note", b"kept")`;
    const get = `import os,sys; print(os.getxattr(sys.argv[1], "user.note").decode())`;
    // Some file systems have none.
    if (Bun.spawnSync(["python3", "-c", set, path]).exitCode !== 0) return;
    await files.write(path, "new");
    const { stdout } = Bun.spawnSync(["python3", "-c", get, path]);
    expect(stdout.toString()).toBe("kept\n");
  });

  test("what is no regular file is refused", async () => {
    await expect(files.write("/dev/null", "x")).rejects.toMatchObject({ kind: "not-a-file" });
  });
});

describe("somebody else was faster", () => {
  test("a file that is not what was expected is left alone", async () => {
    const expected = Buffer.from("old");
    fs.writeFileSync(path, "theirs");
    await expect(files.write(path, "mine", { expected })).rejects.toMatchObject({
      kind: "changed",
    });
    await expect(files.write(path, "mine", { expected: "nothing" })).rejects.toMatchObject({
      kind: "changed",
    });
    await expect(files.remove(path, { expected })).rejects.toMatchObject({ kind: "changed" });
    expect(read()).toBe("theirs");
    expect(fs.readdirSync(folder)).toEqual(["a.txt"]);
    await files.write(path, "mine", { expected: Buffer.from("theirs") });
    expect(read()).toBe("mine");
    fs.rmSync(path);
    await expect(files.write(path, "x", { expected })).rejects.toMatchObject({ kind: "changed" });
  });
});

describe("hooks", () => {
  test("every change is announced before it happens, with both contents", async () => {
    const heard: FileChange[] = [];
    const changed: string[] = [];
    const watched = createFiles({
      home: "/",
      async beforeChange(change) {
        const onDisk = fs.existsSync(change.path) ? fs.readFileSync(change.path) : undefined;
        expect(onDisk).toEqual(change.before && Buffer.from(change.before));
        heard.push(change);
      },
      afterChange: (name) => void changed.push(name),
    });
    await watched.write(path, "one");
    fs.chmodSync(path, 0o600);
    fs.symlinkSync("a.txt", join(folder, "link"));
    await watched.write(join(folder, "link"), "two");
    await watched.remove(path);
    const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();
    expect(heard.map((change) => [change.path, text(change.before), text(change.after)])).toEqual([
      [path, undefined, "one"],
      [path, "one", "two"],
      [path, "two", undefined],
    ]);
    expect(heard[1]!.mode).toBe(0o600);
    expect(changed).toEqual([path, join(folder, "link"), path]);
  });

  test("a change that is refused does not happen", async () => {
    fs.writeFileSync(path, "old");
    const guarded = createFiles({
      home: "/",
      beforeChange: () => Promise.reject(new Error("no journal")),
    });
    await expect(guarded.write(path, "new")).rejects.toThrow("no journal");
    await expect(guarded.remove(path)).rejects.toThrow("no journal");
    expect(read()).toBe("old");
    expect(fs.readdirSync(folder)).toEqual(["a.txt"]);
  });
});

needs("strace")(
  "faults leave the old file or the new one",
  () => sampleCampaign(atomicWrites, { seed: 1, count: 14 }),
  60_000,
);
