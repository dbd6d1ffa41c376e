/** What the disk does to a session while it is open. */

import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readSessionFile, SessionLog } from "@omp/session";
import { log as programLog, UserError } from "@omp/std";
import { doors, said, scratch } from "./scratch.ts";

test("a file that is deleted while it is open comes back with everything", async () => {
  using place = scratch();
  const folder = join(place.folder, "sessions");
  const log = SessionLog.create({ cwd: "/w", folder, ...doors() });
  log.append(said("before"));
  log.persist();
  await log.sync();
  const before = readFileSync(log.path!, "utf8");
  rmSync(log.path!);
  log.append(said("after"));
  await log.sync();
  expect(readFileSync(log.path!, "utf8").startsWith(before)).toBe(true);
  expect((statSync(log.path!).mode & 0o777).toString(8)).toBe("600");

  rmSync(folder, { recursive: true });
  log.append(said("without its folder"));
  await log.sync();
  log.append(said("and on"));
  await log.close();
  expect((await readSessionFile(log.path!)).entries).toEqual([...log.entries]);
});

test("what another program put in the place of a deleted file is kept, too", async () => {
  using place = scratch();
  const log = SessionLog.create({ cwd: "/w", folder: place.folder, ...doors() });
  log.append(said("ours"));
  log.persist();
  rmSync(log.path!);
  writeFileSync(log.path!, "theirs\n");
  log.append(said("ours again"));
  await log.sync();
  await log.close();
  expect((await readSessionFile(log.path!)).entries).toEqual([...log.entries]);
  const aside = readdirSync(place.folder).find((name) => name.endsWith(".bak"))!;
  expect(readFileSync(join(place.folder, aside), "utf8")).toBe("theirs\n");
});

test("what cannot be written is logged once, and said again by every sync and by close", async () => {
  using place = scratch();
  const lines: string[] = [];
  programLog.open({
    level: "error",
    file: undefined,
    now: () => 0,
    write: (line) => void lines.push(line),
    close: () => {},
  });
  try {
    const blocked = join(place.folder, "blocked");
    writeFileSync(blocked, "");
    const folder = join(blocked, "sessions");
    const log = SessionLog.create({ cwd: "/w", folder, ...doors() });
    expect(() => log.persist()).toThrow(UserError);
    expect(() => log.append(said("one"))).toThrow(UserError);
    await expect(log.sync()).rejects.toMatchObject({ kind: "session" });
    await expect(log.sync()).rejects.toMatchObject({ kind: "session" });
    await expect(log.close()).rejects.toMatchObject({ kind: "session" });
    // Others may have had something to say before.
    const told = lines.filter((line) => line.includes(place.folder));
    expect(told.length).toBe(1);
    expect(JSON.parse(told[0]!)).toMatchObject({ event: "session-not-written", path: log.path });
  } finally {
    programLog.open({ level: "error", file: undefined, now: () => 0, write() {}, close() {} });
  }
});

test("STOR-43 every file and folder of a session is the owner's alone", async () => {
  using place = scratch();
  const agent = join(place.folder, "agent");
  const old = process.umask(0o022);
  const modes = new Map<string, string>();
  try {
    const log = SessionLog.create({ cwd: "/w", folder: join(agent, "sessions", "-w"), ...doors() });
    log.append(said("hello"));
    log.persist();
    const fork = await SessionLog.fork(log, {
      cwd: "/w",
      folder: join(agent, "sessions", "-f"),
      ...doors(2),
    });
    await log.moveTo({ cwd: "/x", folder: join(agent, "sessions", "-x") });
    for (const name of readdirSync(agent, { recursive: true, withFileTypes: true })) {
      const path = join(name.parentPath, name.name);
      modes.set(
        path,
        `${name.isDirectory() ? "folder" : "file"} ${(statSync(path).mode & 0o777).toString(8)}`,
      );
    }
    await fork.close();
    await log.close();
  } finally {
    process.umask(old);
  }
  expect(modes.size).toBeGreaterThanOrEqual(8);
  expect(new Set(modes.values())).toEqual(new Set(["folder 700", "file 600"]));
});

test("a folder that is there already is used as it is", async () => {
  using place = scratch();
  const folder = join(place.folder, "mine");
  mkdirSync(folder, { mode: 0o755 });
  const log = SessionLog.create({ cwd: "/w", folder, ...doors() });
  log.persist();
  await log.close();
  expect([dirname(log.path!), existsSync(log.path!)]).toEqual([folder, true]);
});
