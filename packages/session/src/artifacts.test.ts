/** Artifacts on a real disk, asked for by several at once. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { scratch } from "../test/scratch.ts";
import { artifactFolder, ArtifactStore, copyArtifacts, numberedArtifacts } from "./artifacts.ts";

let place: ReturnType<typeof scratch>;
let session: string;
let folder: string;
beforeEach(() => {
  place = scratch();
  session = join(place.folder, "2026-01-02T03-04-05-678Z_id.jsonl");
  folder = artifactFolder(session);
});
afterEach(() => place[Symbol.dispose]());

const store = () => new ArtifactStore(() => session);
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("outputs of tools", () => {
  test("STOR-04 numbers count from 0, over all tools", async () => {
    const artifacts = store();
    expect(existsSync(folder)).toBe(false);
    expect(await artifacts.reserve("bash")).toEqual({ id: "0", path: join(folder, "0.bash.log") });
    expect(await artifacts.reserve("python")).toMatchObject({ id: "1" });
    expect(readdirSync(folder).sort()).toEqual(["0.bash.log", "1.python.log"]);
    expect([modeOf(folder), modeOf(join(folder, "0.bash.log"))]).toEqual([0o700, 0o600]);
  });

  test("STOR-05 a resumed session goes on after the highest number, and overwrites nothing", async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, "3.bash.log"), "old");
    writeFileSync(join(folder, "7.notes.txt"), "");
    writeFileSync(join(folder, "Anna.md"), "");
    expect(await store().reserve("bash")).toMatchObject({ id: "4" });
    expect(await store().reserve("bash")).toMatchObject({ id: "5" });
    expect(readFileSync(join(folder, "3.bash.log"), "utf8")).toBe("old");
  });

  test("no number is given twice, however many ask, whatever a crash left behind", async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, ".2"), "");
    const stores = [store(), store(), store()];
    const asked = Array.from({ length: 30 }, (_, at) => stores[at % 3]!.reserve(`tool${at % 4}`));
    const ids = (await Promise.all(asked)).map((reserved) => reserved!.id);
    expect(new Set(ids).size).toBe(30);
    expect(ids).not.toContain("2");
    expect((await numberedArtifacts(folder)).size).toBe(30);
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([".2"]);
  });

  test("a name from elsewhere stays in the folder", async () => {
    await store().reserve("../../evil/x");
    expect(readdirSync(place.folder)).toEqual([folder.split("/").at(-1)!]);
    expect(readdirSync(folder)).toEqual(["0.__.._evil_x.log"]);
  });

  test("where no folder can be, nothing is reserved and nothing fails", async () => {
    writeFileSync(folder, "in the way");
    expect(await store().reserve("bash")).toBeUndefined();
  });

  test("the folder is that of the session that is current", async () => {
    const artifacts = store();
    await artifacts.reserve("bash");
    session = join(place.folder, "other.jsonl");
    expect(await artifacts.reserve("bash")).toMatchObject({
      id: "0",
      path: join(place.folder, "other", "0.bash.log"),
    });
  });

  test("a session in memory keeps texts under numbers, within limits", async () => {
    const artifacts = new ArtifactStore(() => undefined);
    expect(await artifacts.reserve("bash")).toBeUndefined();
    expect([artifacts.keep("one"), artifacts.keep("two")]).toEqual(["0", "1"]);
    expect(artifacts.kept.get("1")).toBe("two");
    expect(artifacts.keep("x".repeat(20_000_000))).toBeUndefined();
    expect(artifacts.keep("three")).toBe("2");
    expect(store().keep("stored elsewhere")).toBeUndefined();
  });
});

describe("outputs of agents", () => {
  test("STOR-07 a name is used as it is, then with a number, also after a resume and below a parent", async () => {
    const artifacts = store();
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await artifacts.reserveOutput("Anna"))?.id);
    expect(ids).toEqual(["Anna", "Anna-2", "Anna-3"]);
    expect(await store().reserveOutput("Anna")).toMatchObject({ id: "Anna-4" });
    expect(await artifacts.reserveOutput("Child", "Anna-2")).toMatchObject({ id: "Anna-2.Child" });
    writeFileSync(join(folder, "Ben.jsonl"), "");
    expect(await artifacts.reserveOutput("Ben")).toMatchObject({ id: "Ben-2" });
    expect(modeOf(join(folder, "Anna.md"))).toBe(0o600);
  });
});

describe("copies for a fork", () => {
  const fork = () => join(place.folder, "fork.jsonl");
  const forkFolder = () => artifactFolder(fork());

  test("STOR-40 numbers go on after those that were copied, and start at 0 after a copy that failed", async () => {
    for (let count = 0; count < 4; count++) {
      writeFileSync((await store().reserve("bash"))!.path, `output ${count}`);
    }
    await copyArtifacts(session, fork());
    expect(readFileSync(join(forkFolder(), "3.bash.log"), "utf8")).toBe("output 3");
    expect(modeOf(forkFolder())).toBe(0o700);
    expect(modeOf(join(forkFolder(), "3.bash.log"))).toBe(0o600);
    expect(await new ArtifactStore(fork).reserve("bash")).toMatchObject({ id: "4" });

    const unlucky = join(place.folder, "unlucky.jsonl");
    const looped = join(place.folder, "looped.jsonl");
    symlinkSync(artifactFolder(looped), artifactFolder(looped));
    await copyArtifacts(looped, unlucky);
    expect(await new ArtifactStore(() => unlucky).reserve("bash")).toMatchObject({ id: "0" });
  });

  test("a session without artifacts is copied without complaint", async () => {
    await copyArtifacts(session, fork());
    expect(existsSync(forkFolder())).toBe(false);
  });

  test("a folder that was there before is not touched", async () => {
    writeFileSync((await store().reserve("bash"))!.path, "new");
    mkdirSync(forkFolder());
    writeFileSync(join(forkFolder(), "0.bash.log"), "old");
    await copyArtifacts(session, fork());
    expect(readFileSync(join(forkFolder(), "0.bash.log"), "utf8")).toBe("old");
  });
});
