/** Who may write a session, and what the others get. */

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fieldsOf, readSessionFile, SessionLog } from "@omp/session";
import { UserError } from "@omp/std";
import { doors, golden, jsonl, said, scratch } from "./scratch.ts";

function copied(folder: string): string {
  const path = join(folder, "old.jsonl");
  cpSync(golden("omp-18.2.3-print"), path);
  return path;
}

test("SESS-55 a second writer in one process is refused until the first has closed", async () => {
  using place = scratch();
  const path = copied(place.folder);
  const first = await SessionLog.open({ path, ...doors() });
  expect(first.access).toEqual({ kind: "write" });
  const second = await SessionLog.open({ path, ...doors(2) });
  expect(second.access).toMatchObject({
    kind: "read-only",
    because: "locked",
    owner: { pid: process.pid },
  });
  expect(second.entries).toEqual(first.entries);
  expect(() => second.append(said("no"))).toThrow("this process already is writing it");
  expect(second.entries.length).toBe(first.entries.length);

  // By another name it is the same file.
  symlinkSync(path, join(place.folder, "link.jsonl"));
  const third = await SessionLog.open({ path: join(place.folder, "link.jsonl"), ...doors(2) });
  expect(third.access.kind).toBe("read-only");
  await Promise.all([first.close(), second.close(), third.close()]);

  await using revived = await SessionLog.open({ path, ...doors(3) });
  revived.append(said("back"));
  expect((await readSessionFile(path)).entries).toEqual([...revived.entries]);
});

test("SESS-71 a second process is told who writes the session, can read it, and can go on in a fork", async () => {
  using place = scratch();
  const path = copied(place.folder);
  const writer = fileURLToPath(import.meta.resolve("./waiting-writer.ts"));
  const child = Bun.spawn([process.execPath, writer, path], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = child.stdout.getReader();
  await output.read();

  await using log = await SessionLog.open({ path, ...doors() });
  expect(log.access).toMatchObject({
    kind: "read-only",
    because: "locked",
    owner: { pid: child.pid },
  });
  const before = readFileSync(path, "utf8");
  const refused = (act: () => unknown) => {
    const error = catching(act);
    expect(error).toMatchObject({ name: "UserError", kind: "read-only" });
    expect(error?.message).toContain(`process ${child.pid} on `);
    expect(error?.message).toContain("fork the session");
  };
  refused(() => log.append(said("no")));
  refused(() => log.rename("no", "user"));
  refused(() => log.setLabel(log.leafId!, "no"));
  await expect(log.moveTo({ cwd: "/x", folder: place.folder })).rejects.toMatchObject({
    kind: "read-only",
  });
  expect(readFileSync(path, "utf8")).toBe(before);

  await using fork = await SessionLog.fork(log, { cwd: "/w", folder: place.folder, ...doors(3) });
  fork.append(said("in the fork"));
  await child.stdin.write("go on\n");
  await child.stdin.end();
  await child.exited;
  const { entries, problems } = await readSessionFile(path);
  expect(problems).toEqual([]);
  expect(entries.at(-1)).toMatchObject({ message: { content: "from the other process" } });
  expect(JSON.stringify(entries)).not.toContain("in the fork");
});

test("the lock of a process that was killed is taken over", async () => {
  using place = scratch();
  const path = copied(place.folder);
  const writer = fileURLToPath(import.meta.resolve("./waiting-writer.ts"));
  const child = Bun.spawn([process.execPath, writer, path], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  await child.stdout.getReader().read();
  child.kill("SIGKILL");
  await child.exited;
  expect(existsSync(`${path}.lock`)).toBe(true);
  const log = await SessionLog.open({ path, ...doors() });
  expect(log.access).toEqual({ kind: "write" });
  log.append(said("mine now"));
  await log.close();
  expect(readdirSync(place.folder)).toEqual(["old.jsonl"]);
});

test("a session is locked while its file is new, too, and the lock goes with it", async () => {
  using place = scratch();
  const log = SessionLog.create({ cwd: "/w", folder: place.folder, ...doors() });
  expect(readdirSync(place.folder)).toEqual([]);
  log.persist();
  await log.sync();
  await using other = await SessionLog.open({ path: log.path!, ...doors(2) });
  expect(other.access.kind).toBe("read-only");
  const before = log.path!;
  await log.moveTo({ cwd: "/x", folder: join(place.folder, "x") });
  expect([existsSync(`${before}.lock`), existsSync(`${log.path}.lock`)]).toEqual([false, true]);
  await log.close();
  expect(existsSync(`${log.path}.lock`)).toBe(false);
});

test("who opens a new file finds its maker there, from the first moment on", async () => {
  using place = scratch();
  const log = SessionLog.create({ cwd: "/w", folder: place.folder, ...doors() });
  log.append(said("first"));
  log.persist();
  await using other = await SessionLog.open({ path: log.path!, ...doors(2) });
  expect(other.access).toMatchObject({ kind: "read-only", because: "locked" });
  log.append(said("second"));
  await log.close();
  const { entries, problems } = await readSessionFile(log.path!);
  expect(problems).toEqual([]);
  expect(entries.map((entry) => fieldsOf(entry).message)).toMatchObject([
    { content: "first" },
    { content: "second" },
  ]);
});

test("who asks to read gets no lock and writes nothing", async () => {
  using place = scratch();
  const path = copied(place.folder);
  const log = await SessionLog.open({ path, access: "read", ...doors() });
  expect(readdirSync(place.folder)).toEqual(["old.jsonl"]);
  expect(log.access).toEqual({ kind: "read-only", because: "asked" });
  expect(() => log.append(said("no"))).toThrow(UserError);
  await log.close();
  const missing = join(place.folder, "missing.jsonl");
  const opening = SessionLog.open({ path: missing, access: "read", ...doors() });
  await expect(opening).rejects.toMatchObject({ kind: "session" });
  expect(existsSync(missing)).toBe(false);
});

test("a file of a newer version is read and never written", async () => {
  using place = scratch();
  const path = join(place.folder, "v4.jsonl");
  const time = "2026-01-01T00:00:00.000Z";
  const header = { type: "session", version: 4, id: "s", timestamp: time, cwd: "/w" };
  const entry = {
    type: "message",
    id: "a",
    parentId: null,
    timestamp: time,
    message: { role: "user", content: "hi" },
  };
  writeFileSync(path, jsonl(header, entry));
  const before = readFileSync(path, "utf8");
  const log = await SessionLog.open({ path, ...doors() });
  expect(log.access).toEqual({ kind: "read-only", because: "future-version" });
  expect(log.entries).toEqual([entry]);
  expect(() => log.append(said("no"))).toThrow("a newer version of omp wrote it");
  const forking = SessionLog.fork(log, { cwd: "/w", folder: place.folder, ...doors() });
  await expect(forking).rejects.toMatchObject({ kind: "read-only" });
  await log.sync();
  await log.close();
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(readdirSync(place.folder)).toEqual(["v4.jsonl"]);
});

test("a file of somebody else is read, with a word why it is not written, or cannot be read", () => {
  using place = scratch();
  const path = copied(place.folder);
  const isRoot = process.getuid?.() === 0;
  chmodSync(place.folder, 0o755);
  const opened = (mode: number) => {
    chmodSync(path, mode);
    const script = fileURLToPath(import.meta.resolve("./stranger.ts"));
    const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const { stdout } = spawnSync(process.execPath, [script, path], nobody);
    return String(stdout)
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
  };
  expect(opened(0o444)).toEqual([
    { access: { kind: "read-only", because: "not-permitted" }, entries: 8 },
    { refusal: expect.stringContaining("belongs to somebody else or is protected") },
  ]);
  expect(opened(0o000)).toEqual([
    { refusal: `Cannot read the session file ${path}: permission denied.` },
  ]);
});

test("a directory, a device and a pipe are no session files, and are told apart from them at once", async () => {
  using place = scratch();
  const [directory, pipe] = [join(place.folder, "dir.jsonl"), join(place.folder, "pipe.jsonl")];
  mkdirSync(directory);
  Bun.spawnSync(["mkfifo", pipe]);
  const opened = async (path: string) =>
    SessionLog.open({ path, ...doors() }).catch((e) => e.message);
  expect(await opened(directory)).toBe(
    `Cannot read the session file ${directory}: it is a directory.`,
  );
  expect(await opened("/dev/null")).toContain("it is not a regular file");
  if (existsSync(pipe)) expect(await opened(pipe)).toContain("it is not a regular file");
});

function catching(act: () => unknown): Error | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
