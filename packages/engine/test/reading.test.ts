/** What the house gives the read tool: conflicts by number, pictures that fit, files behind URLs. */

import type { Resources } from "@omp/agent";
import { createFiles } from "@omp/host";
import { ArtifactStore } from "@omp/session";
import { callTool, say, turn } from "@omp/testkit";
import { createConflicts, type Conflicts } from "@omp/tools";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Discovery } from "../src/discovery/discovery.ts";
import { createToolPictures } from "../src/images/tool-pictures.ts";
import { createResourceDoor } from "../src/resources/door.ts";
import { bitmap, png } from "./pictures.ts";
import { facts } from "./shelf.ts";
import { house, stage, type StageOptions } from "./stage.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "omp-reading-"));
});
afterEach(() => rmSync(root, { recursive: true }));

describe("conflict://", () => {
  const block = (name: string, base = "") =>
    `<<<<<<< HEAD\n${name} ours\n${base}=======\n${name} theirs\n>>>>>>> branch\n`;
  let conflicts: Conflicts;
  let resources: Resources;
  let path: string;
  beforeEach(() => {
    conflicts = createConflicts();
    path = join(root, "f.txt");
    resources = createResourceDoor({
      artifacts: new ArtifactStore(() => undefined),
      discovery: new Discovery({
        place: () => ({ cwd: root, home: root, agentDir: root }),
        switches: () => ({ sources: [], items: [], places: [] }),
      }),
      conflict: { conflicts, files: createFiles({ home: root }) },
    });
  });
  const write = (text: string) => {
    writeFileSync(path, text);
    return text;
  };
  const text = async (url: string) => {
    const resource = await resources.find(url, new AbortController().signal);
    return resource.text();
  };
  const failure = async (url: string) => {
    const error = await text(url).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "ToolFailure" });
    return (error as Error).message;
  };

  test("READ-69 IURL-14 a conflict and its sides can be read while it is as it was", async () => {
    const base = "||||||| base\na base\n";
    conflicts.register(path, write(`top\n${block("a", base)}${block("b")}`));
    expect(await text("conflict://1")).toBe(block("a", base));
    expect(await text("conflict://1/ours")).toBe("a ours\n");
    expect(await text("conflict://1/theirs")).toBe("a theirs\n");
    expect(await text("conflict://1/base")).toBe("a base\n");
    expect(await text("conflict://1/both")).toBe("a ours\na theirs\n");
    expect(await failure("conflict://2/base")).toBe("Conflict 2 has no base");
    expect(await failure("conflict://2/mine")).toContain("ours, theirs, base, both");
    expect(await failure("conflict://*")).toContain("can only be written");
    expect(await failure("conflict://9")).toContain("Read <path>:conflicts");
    // Lines that moved are the same conflict; one that changed is not.
    write(`a new line\ntop\n${block("a", base)}${block("b").replace("b ours", "b mine")}`);
    expect(await text("conflict://1/ours")).toBe("a ours\n");
    expect(await failure("conflict://2")).toContain(`Read ${path}:conflicts again`);
    rmSync(path);
    expect(await failure("conflict://1")).toContain(":conflicts again");
  });

  test("two sessions do not see each other's conflicts", async () => {
    createConflicts().register(path, write(block("a")));
    expect(await failure("conflict://1")).toContain("Unknown conflict: 1");
  });
});

test("READ-60 IURL-22 of what is kept beside a session only local:// can be changed", async () => {
  const folder = join(root, "session");
  mkdirSync(join(folder, "local"), { recursive: true });
  for (const name of ["0.bash.log", "Agent.md", "local/plan.md"]) {
    writeFileSync(join(folder, name), "text");
  }
  const resources = createResourceDoor({
    artifacts: new ArtifactStore(() => `${folder}.jsonl`),
    discovery: new Discovery({
      place: () => ({ cwd: root, home: root, agentDir: root }),
      switches: () => ({ sources: [], items: [], places: [] }),
    }),
  });
  const isMutable = async (url: string) =>
    (await resources.find(url, new AbortController().signal)).isMutable ?? false;
  expect(await isMutable("local://plan.md")).toBe(true);
  expect(await isMutable("artifact://0")).toBe(false);
  expect(await isMutable("agent://Agent")).toBe(false);
});

describe("pictures", () => {
  const pictures = (modelSees = true, settings = { autoResize: true }) =>
    createToolPictures({ ...settings, modelSees: () => modelSees });

  test("READ-51 the content tells a picture, and what is too large or damaged is refused", async () => {
    const door = pictures();
    expect(await door.isPicture(await png(2, 2))).toBe(true);
    expect(await door.isPicture(bitmap(2, 2))).toBe(true);
    expect(await door.isPicture(Buffer.from("<svg></svg>"))).toBe(false);
    expect(door.maxBytes).toBe(20 * 2 ** 20);
    const torn = (await png(200, 200)).subarray(0, 300);
    expect(await door.show("a.png", torn).catch((error: unknown) => error)).toMatchObject({
      name: "ToolFailure",
      message: "a.png is a damaged PNG picture",
    });
  });

  test("a large picture is made to fit, unless the settings say otherwise", async () => {
    const large = await png(3000, 30);
    const { original, shown } = await pictures().show("a.png", large);
    expect([original, shown]).toEqual([
      { width: 3000, height: 30 },
      { width: 2000, height: 20 },
    ]);
    const same = pictures(true, { autoResize: false });
    expect((await same.show("a.png", large)).shown.width).toBe(3000);
  });

  test("READ-81 a very small picture is enlarged", async () => {
    const { original, shown, image } = await pictures().show("a.png", await png(2, 2));
    expect([original, shown]).toEqual([
      { width: 2, height: 2 },
      { width: 32, height: 32 },
    ]);
    const bytes = Buffer.from(image.data, "base64");
    expect(await new Bun.Image(bytes).metadata()).toMatchObject({ width: 32, height: 32 });
  });

  test("what should be light is made so", async () => {
    const photo = await new Bun.Image(bitmap(1600, 1200)).jpeg({ quality: 95 }).bytes();
    expect(photo.length).toBeGreaterThan(300 * 1024);
    const { image, shown } = await pictures().show("a.jpg", photo, { maxBytes: 300 * 1024 });
    expect(image.data.length * 0.75).toBeLessThanOrEqual(300 * 1024);
    expect(shown.width).toBeLessThan(1600);
  });

  test("a picture that is not shown is described", async () => {
    expect(await pictures().describe("a", await png(4, 3))).toMatchObject({
      mimeType: "image/png",
      width: 4,
      height: 3,
      channels: 4,
      hasAlpha: true,
    });
    const jpeg = await new Bun.Image(bitmap(4, 3)).jpeg().bytes();
    expect(await pictures().describe("a", jpeg)).toMatchObject({ channels: 3, hasAlpha: false });
    expect(pictures(false).areSeen()).toBe(false);
    expect(pictures(true).areSeen()).toBe(true);
  });
});

describe("through the whole house", () => {
  interface Result {
    readonly text: string;
    readonly isError: boolean;
    readonly kinds: readonly string[];
  }

  /** What the tool answered, one result for each path. */
  async function readAll(
    files: Readonly<Record<string, string | Uint8Array>>,
    paths: readonly string[],
    options?: StageOptions,
  ): Promise<readonly Result[]> {
    await using set = await stage([
      ...paths.map((path) => turn(callTool("read", { path }))),
      turn(say("done")),
    ]);
    for (const [name, content] of Object.entries(files)) await set.place.write(name, content);
    await using booted = await set.boot(options);
    await booted.prompt("go");
    return booted.events.flatMap((event) => {
      if (event.type !== "tool_execution_end") return [];
      const { content } = event.result as { content: { type: string; text?: string }[] };
      const text = content.map((block) => block.text ?? "").join("");
      return [{ text, isError: event.isError, kinds: content.map(({ type }) => type) }];
    });
  }

  test("READ-52 the same picture for a model that sees and for one that does not", async () => {
    const files = { "a.txt": await png(4, 3) };
    const [seen] = await readAll(files, ["a.txt"]);
    expect(seen).toMatchObject({ kinds: ["text", "image"], isError: false });
    expect(seen!.text).toContain(
      "[Image: original 4x3, displayed at 32x24. Multiply coordinates by 0.125 to map to the original.]",
    );
    const extraProviders = [house(facts("blind", { input: ["text"] }))];
    const blind = { model: { model: "house/blind" }, extraProviders };
    const [described] = await readAll(files, ["a.txt"], blind);
    expect(described!.kinds).toEqual(["text"]);
    expect(described!.text).toMatch(/image\/png, \d+ bytes, 4x3, 4 channels, alpha/);
    expect(described!.text).toContain("Ask about it with a model");
  });

  test("READ-60 IURL-22 anchors for what can be edited, none for the rest", async () => {
    const files = {
      "f.txt": "text\n",
      ".omp/skills/fly/SKILL.md": "---\ndescription: d\n---\nflap\n",
      ".omp/rules/book.md": "---\ndescription: d\n---\nrule text",
    };
    const paths = ["f.txt", "skill://fly", "rule://book", "history://"];
    const [file, ...others] = await readAll(files, paths);
    expect(file!.text).toMatch(/^¶f\.txt#[0-9A-F]{4}\n1:text$/);
    expect(others[0]!.text).toContain("flap");
    expect(others[1]!.text).toContain("rule text");
    expect(others[2]!.text).toContain("go");
    for (const { text, isError } of others)
      expect([isError, /^¶/m.test(text)]).toEqual([false, false]);
  });

  const lines = Array.from({ length: 400 }, (_, at) => `line ${at + 1}`).join("\n");
  const source = Array.from(
    { length: 40 },
    (_, at) => `function f${at}() {\n${"  call();\n".repeat(6)}}\n`,
  ).join("\n");
  const prose = `# One\n\n${"word\n".repeat(150)}`;
  const one = async (name: string, content: string, config?: string) => {
    const [result] = await readAll({ [name]: content }, [name], config ? { config } : {});
    return result!.text;
  };

  test("SET-162 SET-163 the default limit and plain line numbers", async () => {
    expect(await one("f", lines)).toEndWith("[Showing lines 1-300 of 400. Use :301 to continue]");
    expect(await one("f", lines, "read: { defaultLimit: 2 }\nedit: { mode: replace }\n")).toBe(
      "line 1\nline 2\n\n[Showing lines 1-2 of 400. Use :3 to continue]",
    );
    const numbered = "read: { defaultLimit: 2 }\nedit: { mode: replace }\nreadLineNumbers: true\n";
    expect(await one("f", lines, numbered)).toStartWith("1:line 1\n2:line 2\n");
  });

  test("SET-164 SET-165 SET-168 what is shown by its structure", async () => {
    expect(await one("f.ts", source)).toContain("elided");
    expect(await one("f.ts", source, "read: { summarize: { enabled: false } }\n")).not.toContain(
      "elided",
    );
    expect(
      await one("f.ts", source, "read: { summarize: { minTotalLines: 999 } }\n"),
    ).not.toContain("elided");
    expect(await one("f.md", prose)).not.toContain("elided");
    expect(await one("f.md", prose, "read: { summarize: { prose: true } }\n")).toContain("elided");
  });

  test("SET-125 URLs are read unless that is turned off; private ones only where the settings name them", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("inside"),
    });
    const url = `http://127.0.0.1:${server.port}/`;
    const get = async (config?: string) => (await readAll({}, [url], config ? { config } : {}))[0]!;
    expect(await get()).toMatchObject({
      isError: true,
      text: expect.stringContaining("fetch.privateHosts"),
    });
    expect(await get("fetch: { enabled: false }\n")).toMatchObject({
      isError: true,
      text: expect.stringContaining("fetch.enabled"),
    });
    const named = `fetch: { privateHosts: ["127.0.0.1:${server.port}"] }\n`;
    expect(await get(named)).toMatchObject({
      isError: false,
      text: expect.stringContaining("inside"),
    });
  });

  test("two sessions in one process have their own artifacts", async () => {
    const calls = (letter: string) => [
      turn(callTool("bash", { command: `yes ${letter} | head -n 200000` })),
      turn(callTool("read", { path: "artifact://0:1-1,2-2" })),
      turn(say("done")),
    ];
    await using one = await stage(calls("first"));
    await using two = await stage(calls("second"));
    await using first = await one.boot();
    await using second = await two.boot();
    await Promise.all([first.prompt("go"), second.prompt("go")]);
    const told = ({ events }: typeof first) =>
      JSON.stringify(events.findLast(({ type }) => type === "tool_execution_end"));
    expect(told(first)).toContain("first\\nfirst");
    expect(told(second)).toContain("second\\nsecond");
  });

  test("IURL-23 a bad address gives the same words in every tool", async () => {
    await using set = await stage([
      turn(callTool("read", { path: "local://../../x" })),
      turn(callTool("write", { path: "local://../../x", content: "x" })),
      turn(callTool("search", { pattern: "x", paths: ["local://../../x"] })),
      turn(say("done")),
    ]);
    await using booted = await set.boot();
    await booted.prompt("go");
    const ends = booted.events.filter((event) => event.type === "tool_execution_end");
    const told = ends.map(({ result, isError }) => [isError, JSON.stringify(result)]);
    expect(told[0]).toEqual([true, expect.stringContaining("local:// paths stay in their folder")]);
    expect(told).toEqual([told[0]!, told[0]!, told[0]!]);
  });
});
