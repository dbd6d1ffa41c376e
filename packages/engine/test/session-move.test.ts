/** A session goes to another working directory, whole or not at all, and everything follows. */

import { callTool, say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  echo,
  echoStage,
  fileOf,
  files,
  hashOf,
  headerIn,
  lastSaid,
  talkOf,
} from "./session-stage.ts";
import { sent, stage, type Stage } from "./stage.ts";

test("SESS-64 STOR-41 file and artifacts move; tools, system prompt and snapshot follow", async () => {
  await using set = await stage([
    echo,
    turn(callTool("bash", { command: "pwd" })),
    turn(say("done")),
  ]);
  const other = await otherFolder(set);
  await using booted = await set.boot();
  await booted.prompt("one");
  const before = fileOf(booted);
  await mkdir(artifacts(before), { mode: 0o700 });
  await writeFile(join(artifacts(before), "0.bash.log"), "kept");
  const entriesBefore = (await readFile(before, "utf8")).split("\n").slice(2);

  await booted.engine.dispatch({ type: "move_session", cwd: "other" });
  const after = fileOf(booted);
  expect(dirname(after)).not.toBe(dirname(before));
  expect(basename(after)).toBe(basename(before));
  expect(await files(set)).toEqual([after]);
  expect(existsSync(artifacts(before))).toBe(false);
  expect(await readFile(join(artifacts(after), "0.bash.log"), "utf8")).toBe("kept");
  expect(await headerIn(after)).toMatchObject({ cwd: other, previousSessionFiles: [before] });
  expect((await readFile(after, "utf8")).split("\n").slice(2)).toEqual(entriesBefore);

  expect(booted.engine.snapshot()).toMatchObject({
    cwd: other,
    systemPrompt: expect.stringContaining(`Working directory: ${other}\n`),
  });
  await booted.prompt("where");
  expect(sent(set.model, 1)).toContain(JSON.stringify(`Working directory: ${other}`).slice(1, -1));
  expect(sent(set.model, 2)).toContain(`${other}\\n`);
  // A new session is one of the new place.
  await booted.engine.dispatch({ type: "new_session" });
  expect(dirname(fileOf(booted))).toBe(dirname(after));
});

test("SLASH-35 SLASH-37 commands the person runs are run there, and the commands of the folder are offered", async () => {
  await using set = await stage([]);
  const other = await otherFolder(set);
  await set.place.write(".omp/commands/here.md", "Do it here.");
  await set.place.write("other/.omp/commands/there.md", "Do it there.");
  await using booted = await set.boot({
    trust: {
      isFolderTrusted: () => Promise.resolve(true),
      allowed: (items) => Promise.resolve(items),
    },
  });
  const offered = async () => {
    const commands = await booted.engine.dispatch({ type: "list_slash_commands" });
    return commands.map(({ name }) => name).filter((name) => /^(late|t?here)$/.test(name));
  };
  expect(await offered()).toEqual(["here"]);
  await set.place.write(".omp/commands/late.md", "Too late.");
  expect(await offered()).toEqual(["here"]);
  await booted.prompt("/move other");
  expect(await offered()).toEqual(["there"]);
  const { output } = await booted.engine.dispatch({
    type: "execute",
    text: "pwd",
    language: "bash",
  });
  expect(output.trim()).toBe(other);
});

test("a moved session is found from its new folder", async () => {
  await using set = await echoStage();
  const other = await otherFolder(set);
  {
    await using first = await set.boot();
    await first.prompt("one");
    await first.engine.dispatch({ type: "move_session", cwd: other });
    await first.prompt("two");
  }
  await using booted = await set.boot({ cwd: other, session: { kind: "continue" } });
  await booted.prompt("three");
  expect(lastSaid(set)).toEqual([...talkOf("one", "two"), "three"]);
});

test("SESS-64 STOR-41 a move that fails halfway leaves file, artifacts and folder as they were", async () => {
  await using set = await echoStage();
  const other = await otherFolder(set);
  await using booted = await set.boot();
  await booted.prompt("one");
  const before = fileOf(booted);
  await mkdir(artifacts(before), { mode: 0o700 });
  await writeFile(join(artifacts(before), "0.bash.log"), "kept");
  const hash = await hashOf(before);
  const target = await targetFolder(set, other);

  // Nothing can be put there: a file stands in place of the folder.
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, "");
  await expectFailedMove();
  await rm(target);
  // The file could be put there, its artifacts not.
  await mkdir(join(target, basename(artifacts(before)), "in the way"), { recursive: true });
  await expectFailedMove();
  expect((await readdir(target)).filter((name) => name.endsWith(".jsonl"))).toEqual([]);

  await booted.prompt("two");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "two"]);
  expect(await files(set)).toEqual([before]);

  async function expectFailedMove() {
    await expect(booted.engine.dispatch({ type: "move_session", cwd: other })).rejects.toThrow();
    expect(fileOf(booted)).toBe(before);
    expect(booted.engine.snapshot().cwd).toBe(set.place.path);
    expect(await hashOf(before)).toBe(hash);
    expect(await readFile(join(artifacts(before), "0.bash.log"), "utf8")).toBe("kept");
  }
});

test("a folder that is not there, or is none, is refused; so is a move during a run", async () => {
  await using set = await stage([turn(say("slow answer")).with({ delayMs: 300 })]);
  await using booted = await set.boot();
  await set.place.write("file", "");
  const running = booted.prompt("one");
  await set.model.waitForRequest(1);
  const move = (cwd: string) => booted.engine.dispatch({ type: "move_session", cwd });
  await expect(move("..")).rejects.toMatchObject({ kind: "busy" });
  expect((await running).text).toBe("slow answer");
  await expect(move("nowhere")).rejects.toMatchObject({ kind: "bad-input" });
  await expect(move("file")).rejects.toMatchObject({ kind: "bad-input" });
  expect(booted.engine.snapshot().cwd).toBe(set.place.path);
});

test("the gate looks at the new folder: what nobody trusts is treated with care", async () => {
  await using set = await stage([
    turn(callTool("bash", { command: "echo free" })),
    turn(say("done")),
    turn(callTool("bash", { command: "echo bound" })),
    turn(say("done")),
  ]);
  const other = await otherFolder(set);
  await using booted = await set.boot({
    settings: {},
    trust: {
      isFolderTrusted: (folder) => Promise.resolve(folder === set.place.path),
      allowed: () => Promise.resolve([]),
    },
  });
  await booted.prompt("one");
  expect(sent(set.model, 1)).toContain('"text":"free"');
  await booted.engine.dispatch({ type: "move_session", cwd: other });
  await booted.prompt("two");
  expect(sent(set.model, 3)).not.toContain('"text":"bound"');
});

test("where it is already, nothing is done; before its first prompt it has no file to move", async () => {
  await using set = await echoStage();
  const other = await otherFolder(set);
  await using booted = await set.boot();
  await booted.engine.dispatch({ type: "move_session", cwd: other });
  expect(await files(set)).toEqual([]);
  await booted.prompt("one");
  const path = fileOf(booted);
  expect(dirname(path)).toBe(await targetFolder(set, other));
  expect(await headerIn(path)).toMatchObject({ cwd: other });
  expect(await headerIn(path)).not.toHaveProperty("previousSessionFiles");
  const before = await hashOf(path);
  await booted.engine.dispatch({ type: "move_session", cwd: "." });
  expect([fileOf(booted), await hashOf(path)]).toEqual([path, before]);
});

test("a session in memory moves too", async () => {
  await using set = await echoStage();
  const other = await otherFolder(set);
  await using booted = await set.boot({ session: { kind: "in-memory" } });
  await booted.prompt("one");
  await booted.engine.dispatch({ type: "move_session", cwd: other });
  expect(booted.engine.snapshot()).toMatchObject({
    cwd: other,
    session: { header: { cwd: other } },
  });
  await booted.prompt("two");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "two"]);
  expect(await files(set)).toEqual([]);
});

async function otherFolder({ place }: Stage): Promise<string> {
  const folder = join(place.path, "other");
  await mkdir(folder);
  return folder;
}

function artifacts(sessionFile: string): string {
  return sessionFile.replace(/\.jsonl$/, "");
}

/** Where sessions of a folder are kept, found out by a start in it. */
async function targetFolder(set: Stage, cwd: string): Promise<string> {
  await using booted = await set.boot({ cwd });
  return dirname(fileOf(booted));
}
