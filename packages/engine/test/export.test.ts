/** Exports of a live session: what is in the files, who may read them, and what is refused. */

import { callTool, readJsonl, say, sessionFiles, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { BlobStore } from "@omp/session";
import type { BootOptions } from "../src/boot.ts";
import { stage, type Stage } from "./stage.ts";

interface Page {
  readonly header: { readonly id: string };
  readonly entries: readonly { readonly id: string; readonly type: string }[];
  readonly leafId: string;
  readonly systemPrompt?: string;
  readonly tools?: readonly { readonly name: string; readonly parameters: object }[];
  readonly subagents?: Readonly<Record<string, { readonly entries: readonly object[] }>>;
}

async function embeddedIn(path: string): Promise<Page> {
  const html = await Bun.file(path).text();
  const base64 =
    /<script id="session-data" type="application\/json">([^<]*)</.exec(html)?.[1] ?? "";
  return JSON.parse(Buffer.from(base64, "base64").toString("utf8")) as Page;
}

const script = () => [turn(callTool("bash", { command: "echo out" })), turn(say("done"))];

/** The only session file, without the slot of its title. */
async function linesOf(on: Stage) {
  const [file = ""] = await sessionFiles(on.place.home);
  const lines = (await readJsonl(file)) as { readonly type: string; readonly id: string }[];
  return { file, lines: lines.filter(({ type }) => type !== "title") };
}

test("EXP-03 SOP-06 the page has header, all entries, leaf, system prompt and tools of the live session", async () => {
  await using on = await stage(script());
  await using omp = await on.boot();
  await omp.prompt("go");
  const { path } = await omp.engine.dispatch({ type: "export_html" });
  const { file, lines } = await linesOf(on);
  const [header, ...entries] = lines;
  const page = await embeddedIn(path);
  expect(page.header).toMatchObject({ id: header!.id });
  expect<unknown>(page.entries).toEqual(entries);
  expect(page.leafId).toBe(entries.at(-1)!.id);
  const { systemPrompt, tools } = omp.engine.snapshot();
  expect(page.systemPrompt).toBe(systemPrompt);
  expect(page.tools?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(page.tools?.find(({ name }) => name === "bash")?.parameters).toHaveProperty(
    "properties.command",
  );
  expect(path).toBe(join(on.place.path, `omp-session-${basename(file, ".jsonl")}.html`));
});

test("an export adds no entry, is for its owner only, and replaces the one before", async () => {
  await using on = await stage(script());
  await using omp = await on.boot();
  await omp.prompt("go");
  const before = await Bun.file((await linesOf(on)).file).text();
  for (const type of ["export_html", "export_markdown", "export_json"] as const) {
    const first = await omp.engine.dispatch({ type, path: "out file" });
    expect(first.path).toBe(join(on.place.path, "out file"));
    expect(statSync(first.path).mode & 0o777).toBe(0o600);
  }
  await omp.engine.dispatch({ type: "dump_text" });
  expect(await Bun.file((await linesOf(on)).file).text()).toBe(before);
  expect(readdirSync(on.place.path)).toEqual(["out file"]);
});

test("a path that cannot be written is told in one sentence", async () => {
  await using on = await stage(script());
  await using omp = await on.boot();
  await omp.prompt("go");
  const path = "no/such/folder/x.html";
  const failure = omp.engine.dispatch({ type: "export_html", path });
  await expect(failure).rejects.toThrow(`Cannot write ${join(on.place.path, path)}`);
});

test("JSON and Markdown have the session too", async () => {
  await using on = await stage(script());
  await using omp = await on.boot();
  await omp.prompt("go");
  const json = await omp.engine.dispatch({ type: "export_json" });
  const { header, entries, leafId } = (await Bun.file(json.path).json()) as Page & {
    readonly header: { readonly version: number };
  };
  const { lines } = await linesOf(on);
  expect<unknown>([header, ...entries]).toMatchObject(lines);
  expect([header.version, leafId]).toEqual([3, entries.at(-1)!.id]);
  const { path } = await omp.engine.dispatch({ type: "export_markdown" });
  const text = await Bun.file(path).text();
  expect(path).toEndWith(".md");
  expect(text).toContain("## User\n\ngo\n");
  expect(text).toContain('"command": "echo out"');
});

test("pictures that stand outside of the session file are put into the page", async () => {
  await using on = await stage([]);
  const blobs = new BlobStore(join(on.place.home, ".omp/agent/blobs"));
  const picture = new Uint8Array(3000).fill(7);
  const reference = blobs.put(picture);
  const path = await sessionWith(on, [
    {
      role: "user",
      content: [{ type: "image", data: reference, mimeType: "image/png" }],
      timestamp: 1,
    },
  ]);
  await using omp = await on.boot({ session: { kind: "new" } });
  await omp.engine.dispatch({ type: "switch_session", path });
  const exported = await omp.engine.dispatch({ type: "export_html" });
  expect(JSON.stringify(await embeddedIn(exported.path))).toContain(picture.toBase64());
});

async function sessionWith(on: Stage, messages: readonly object[]): Promise<string> {
  const timestamp = "2026-11-15T09:30:00.000Z";
  const header = { type: "session", version: 3, id: "s-1", timestamp, cwd: on.place.path };
  const entries = messages.map((message, index) => ({
    type: "message",
    id: `0000000${index}`,
    parentId: index === 0 ? null : `0000000${index - 1}`,
    timestamp,
    message,
  }));
  const text = [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("");
  return on.place.write("stored.jsonl", text);
}

test("transcripts beside the session file are embedded by name; a broken one is left out", async () => {
  await using on = await stage(script());
  await using omp = await on.boot();
  await omp.prompt("go");
  const { file } = await linesOf(on);
  const folder = file.replace(/\.jsonl$/, "");
  mkdirSync(join(folder, "Outer"), { recursive: true });
  const transcript = await Bun.file(file).text();
  await Bun.write(join(folder, "CountFiles.jsonl"), transcript);
  await Bun.write(join(folder, "Outer", "Inner.jsonl"), transcript);
  await Bun.write(join(folder, "Broken.jsonl"), "nothing of ours\n");
  const { path } = await omp.engine.dispatch({ type: "export_html" });
  const { subagents = {}, entries } = await embeddedIn(path);
  expect(Object.keys(subagents)).toEqual(["CountFiles", "Outer/Inner"]);
  expect(subagents["CountFiles"]?.entries).toHaveLength(entries.length);
});

test("EXP-06 SOP-06 the page takes over the export colours of the active theme, or derives them", async () => {
  await using on = await stage(script());
  const named = { pageBg: "#010203", cardBg: "#111213", infoBg: "#212223" };
  let theme: NonNullable<ReturnType<NonNullable<BootOptions["exportTheme"]>>> = {
    colors: { userMessageBg: "#646464", warning: "#ffffff" },
    export: named,
  };
  await using omp = await on.boot({ exportTheme: () => theme });
  await omp.prompt("go");
  const page = async () => {
    const { path } = await omp.engine.dispatch({ type: "export_html" });
    return Bun.file(path).text();
  };
  expect(await page()).toContain("--dark-page:#010203;--dark-card:#111213;--dark-info:#212223;");
  theme = { colors: theme.colors };
  const derived = await page();
  expect(derived).toContain("--dark-page:#414141;--dark-card:#646464;--dark-info:#7a7a7a;");
  expect(derived).toContain('data-mode="dark"');
});

test("an in-memory session has no page, but a dump", async () => {
  await using on = await stage(script());
  await using omp = await on.boot({ session: { kind: "in-memory" } });
  expect(await omp.engine.dispatch({ type: "dump_text" })).toBeUndefined();
  await omp.prompt("go");
  for (const type of ["export_html", "share_session"] as const) {
    const failure = omp.engine.dispatch({ type });
    await expect(failure).rejects.toThrow("Cannot export in-memory session to HTML");
  }
  expect(await omp.engine.dispatch({ type: "dump_text" })).toContain("echo out");
  expect(readdirSync(on.place.path)).toEqual([]);
});

test("SOP-03 /export writes a page, tells its path, and opens it where the front end asks for it", async () => {
  await using on = await stage(script());
  const bin = join(on.place.path, "../bin");
  mkdirSync(bin);
  await Bun.write(join(bin, "xdg-open"), '#!/bin/sh\necho "$1" >> "$0.log"\n');
  chmodSync(join(bin, "xdg-open"), 0o755);
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  {
    await using quiet = await on.boot({ env });
    await quiet.prompt("go");
    await quiet.prompt("/export quiet.html");
  }
  await using omp = await on.boot({ env, session: { kind: "continue" }, opensBrowser: true });
  const { text } = await omp.prompt("/export loud.html");
  const path = join(on.place.path, "loud.html");
  expect(text).toBe(`Exported to: ${path}`);
  expect(existsSync(path)).toBe(true);
  const log = join(bin, "xdg-open.log");
  while (!existsSync(log) || !readFileSync(log, "utf8").endsWith("\n")) await Bun.sleep(10);
  expect(readFileSync(log, "utf8")).toBe(`${path}\n`);
});
