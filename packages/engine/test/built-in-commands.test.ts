/** The slash commands that need no screen, on the whole engine. */

import { say, sessionFiles, think, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { stage, type BootedEngine, type Stage } from "./stage.ts";

const answers = (count: number) => Array.from({ length: count }, () => turn(say("ok")));

async function told(omp: BootedEngine, text: string): Promise<string> {
  const result = await omp.prompt(text);
  expect(result.isCommand).toBe(true);
  return result.text;
}

async function fileHash({ place }: Stage): Promise<string> {
  const files = await sessionFiles(place.home);
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()));
  return String(Bun.hash(files.join() + texts.join()));
}

test("/model, /move, /tree and /help react, and nothing is sent to the model", async () => {
  await using set = await stage(answers(1));
  await using omp = await set.boot();
  await omp.prompt("hi");
  const other = join(set.place.home, "other");
  mkdirSync(other);
  expect(await told(omp, "/model")).toStartWith("Model: anthropic/");
  expect(await told(omp, "/tree")).toContain("user: hi");
  expect(await told(omp, `/move "${other}"`)).toBe(`Working in ${other}`);
  expect(await told(omp, "/help")).toMatch(/^\/new .*\n[^]*\/export \[path\] .*\n[^]*\/help /);
  expect(set.model.requests).toHaveLength(1);
});

test("SLASH-35 SLASH-37 after /move the commands are those of the new folder", async () => {
  await using set = await stage(answers(1));
  await set.place.write("other/.omp/commands/there.md", "x");
  await set.place.write(".omp/commands/here.md", "x");
  const trust = {
    isFolderTrusted: () => Promise.resolve(true),
    allowed: () => Promise.resolve([]),
  };
  await using omp = await set.boot({ trust });
  await omp.prompt("hi");
  const names = async () =>
    (await omp.engine.dispatch({ type: "list_slash_commands" }))
      .filter(({ source }) => source === "project")
      .map(({ name }) => name);
  expect(await names()).toEqual(["here"]);
  await told(omp, "/move other");
  const cwd = join(set.place.path, "other");
  expect(omp.engine.snapshot().cwd).toBe(cwd);
  const ran = await omp.engine.dispatch({ type: "execute", text: "pwd", language: "bash" });
  expect(ran.output.trim()).toBe(cwd);
  expect(await names()).toEqual(["there"]);
});

test("SOP-01 /dump, /export, /share, /session, /usage, /tree and /help change no session", async () => {
  await using set = await stage(answers(1));
  await using omp = await set.boot();
  await omp.prompt("hi");
  await set.place.write(
    "../home/.omp/agent/share.mjs",
    "export default async () => 'https://share.example/1';",
  );
  const before = await fileHash(set);
  const { file } = omp.engine.snapshot().session;
  for (const text of [
    "/dump",
    "/export out.html",
    "/share",
    "/session",
    "/usage",
    "/tree",
    "/branch",
    "/help",
  ]) {
    await told(omp, text);
  }
  expect(await fileHash(set)).toBe(before);
  expect(omp.engine.snapshot().session.file).toBe(file!);
});

test("SOP-02 /tree stays in the file, /branch and /fork make one, /resume opens one", async () => {
  await using set = await stage(answers(3));
  await using omp = await set.boot();
  await omp.prompt("one");
  await omp.prompt("two");
  const active = () => basename(omp.engine.snapshot().session.file ?? "");
  const count = async () => (await sessionFiles(set.place.home)).length;
  const first = active();
  const points = await told(omp, "/branch");
  const [one, two] = points.split("\n").map((line) => line.split("  ")[0]!);
  expect(points).toContain(`${two}  two`);

  expect(await told(omp, `/tree ${two}`)).toBe("Navigated to selected point\ntwo");
  expect([await count(), active()]).toEqual([1, first]);

  expect(await told(omp, `/branch ${one}`)).toMatch(/^Branched to .*\none$/);
  const second = active();
  expect(second).not.toBe(first);

  await omp.prompt("three");
  expect(await told(omp, "/fork")).toStartWith("Forked to ");
  const third = active();
  expect(new Set([first, second, third]).size).toBe(3);

  const list = await told(omp, "/resume");
  const id = list.split("\n").map((row) => row.split("  ")[0]!);
  const firstId = first
    .replace(/\.jsonl$/, "")
    .split("_")
    .at(-1)!;
  expect(id).toContain(firstId);
  const files = await count();
  expect(await told(omp, `/resume ${firstId}`)).toBe("Resumed session");
  expect([await count(), active()]).toEqual([files, first]);
});

test("SOP-31 the beginning of several ids is refused with the list of them", async () => {
  await using set = await stage(answers(2));
  await using omp = await set.boot();
  await omp.prompt("one");
  await told(omp, "/new");
  await omp.prompt("two");
  const { id } = omp.engine.snapshot().session.header;
  const refused = await omp.prompt(`/resume ${id.slice(0, 6)}`).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(Error);
  expect((refused as Error).message).toContain("is the beginning of several sessions");
  expect((refused as Error).message.split("\n")).toHaveLength(3);
  expect(omp.engine.snapshot().session.header.id).toBe(id);
  await expect(omp.prompt("/resume ffffffff")).rejects.toThrow('No session begins with "ffffffff"');
});

test("SOP-43 the current point is no move", async () => {
  await using set = await stage(answers(1));
  await using omp = await set.boot();
  await omp.prompt("hi");
  const before = await fileHash(set);
  const events = omp.events.length;
  const { leafId } = omp.engine.snapshot().session;
  expect(await told(omp, `/tree ${leafId}`)).toBe("Already at this point");
  expect(await fileHash(set)).toBe(before);
  expect(omp.events).toHaveLength(events);
});

test("SOP-04 SOP-05 SOP-09 /export refuses to copy, takes a quoted path, and writes nothing of a session in memory", async () => {
  await using set = await stage(answers(2));
  await using omp = await set.boot();
  await omp.prompt("hi");
  for (const word of ["copy", "--copy", "clipboard"]) {
    await expect(omp.prompt(`/export ${word}`)).rejects.toThrow("/dump");
  }
  const path = join(set.place.path, "my file.html");
  expect(await told(omp, '/export "my file.html"')).toBe(`Exported to: ${path}`);
  expect(await Bun.file(path).text()).toContain("<html");
  await using memory = await set.boot({ session: { kind: "in-memory" } });
  await memory.prompt("hi");
  await expect(memory.prompt("/export x.html")).rejects.toThrow(
    "Cannot export in-memory session to HTML",
  );
  expect(set.place.exists("x.html")).toBe(false);
});

test("SOP-12 SOP-13 /dump of nothing says so; it works in memory", async () => {
  await using set = await stage([turn(think("hm"), say("an answer"))]);
  await using omp = await set.boot({ session: { kind: "in-memory" } });
  expect(await told(omp, "/dump")).toBe("No messages to dump yet.");
  await omp.prompt("a question");
  const dump = await told(omp, "/dump");
  expect(dump).toContain("a question");
  expect(dump).toContain("an answer");
});

test("SOP-25 /fork is refused during a run and in memory", async () => {
  await using set = await stage([
    turn(say("slow")).with({ fault: { kind: "silence", atByte: 5 } }),
    ...answers(1),
  ]);
  {
    await using omp = await set.boot();
    const running = omp.prompt("go");
    await set.model.waitForRequest(1);
    await expect(omp.prompt("/fork")).rejects.toThrow("before /fork");
    expect(omp.engine.snapshot().isRunning).toBe(true);
    expect(await sessionFiles(set.place.home)).toHaveLength(1);
    await omp.engine.dispatch({ type: "abort" });
    await running;
  }
  await using memory = await set.boot({ session: { kind: "in-memory" } });
  await memory.prompt("hi");
  await expect(memory.prompt("/fork")).rejects.toThrow(
    "Fork failed (session not persisted or cancelled)",
  );
});

test("/rename, /label and /thinking are in the session", async () => {
  await using set = await stage(answers(1));
  await using omp = await set.boot();
  await omp.prompt("hi");
  expect(await told(omp, "/rename My work")).toBe("Session renamed to: My work");
  expect(await told(omp, "/session")).toContain("Title:      My work");
  const { leafId } = omp.engine.snapshot().session;
  expect(await told(omp, "/label good start")).toBe(`Labelled ${leafId}: good start`);
  expect(await told(omp, "/tree")).toContain("[good start]");
  expect(await told(omp, `/label ${leafId}`)).toBe(`Label of ${leafId} removed`);
  expect(await told(omp, "/tree")).not.toContain("[good start]");
  expect(await told(omp, "/thinking low")).toBe("Thinking: low");
  await expect(omp.prompt("/thinking hard")).rejects.toThrow("one of off, minimal, low");
  for (const text of ["/rename", "/label", "/move"]) {
    await expect(omp.prompt(text)).rejects.toThrow(`Usage: ${text}`);
  }
});

test("/model takes words, an id, and a thinking level at the end; a wrong one gets a guess", async () => {
  await using set = await stage([]);
  await using omp = await set.boot();
  expect(await told(omp, "/model haiku")).toMatch(/^Model: anthropic\/claude-haiku/);
  const { model } = omp.engine.snapshot();
  expect(await told(omp, `/model ${model.provider}/${model.id}:low`)).toContain("thinking low");
  await expect(omp.prompt(`/model ${model.id}x`)).rejects.toThrow(`Did you mean ${model.id}?`);
});

test("/queue shows what waits, /clear-queue takes it back", async () => {
  await using set = await stage([
    turn(say("slow")).with({ fault: { kind: "silence", atByte: 5 } }),
  ]);
  await using omp = await set.boot();
  const running = omp.prompt("go");
  await set.model.waitForRequest(1);
  expect(await told(omp, "/queue")).toBe("Nothing is queued.");
  await omp.engine.dispatch({ type: "steer", text: "faster" });
  await omp.engine.dispatch({ type: "follow_up", text: "then rest" });
  expect(await told(omp, "/queue")).toBe("steer: faster\nfollow-up: then rest");
  expect(await told(omp, "/clear-queue")).toBe("Taken back:\nfaster\nthen rest");
  expect(await told(omp, "/queue")).toBe("Nothing is queued.");
  await omp.engine.dispatch({ type: "abort" });
  await running;
});

test("/usage adds up the session", async () => {
  await using set = await stage(answers(2));
  await using omp = await set.boot();
  await omp.prompt("hi");
  await omp.prompt("again");
  const stats = await omp.engine.dispatch({ type: "session_stats" });
  const text = await told(omp, "/usage");
  expect(stats.tokens.total).toBeGreaterThan(0);
  expect(text).toContain(`Total:       ${stats.tokens.total} tokens`);
  expect(text).toContain(`Cost:        $${stats.cost.toFixed(4)}`);
});
