/** What the house gives the read tool: conflicts by number, pictures that fit, files behind URLs. */

import type { Resources } from "@omp/agent";
import { createFiles } from "@omp/host";
import { ArtifactStore } from "@omp/session";
import { callTool, say, turn } from "@omp/testkit";
import { createConflicts, type Conflicts } from "@omp/tools";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

describe("pictures", () => {
  const pictures = (modelSees = true, settings = { autoResize: true, blockImages: false }) =>
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
    const same = pictures(true, { autoResize: false, blockImages: false });
    expect((await same.show("a.png", large)).shown.width).toBe(3000);
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
    expect(pictures(true, { autoResize: true, blockImages: true }).areSeen()).toBe(false);
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
    expect(seen!.text).toContain("[Image: original 4x3");
    const extraProviders = [house(facts("blind", { input: ["text"] }))];
    const blind = { model: { model: "house/blind" }, extraProviders };
    for (const options of [blind, { config: "images: { blockImages: true }\n" }]) {
      const [described] = await readAll(files, ["a.txt"], options);
      expect(described!.kinds).toEqual(["text"]);
      expect(described!.text).toMatch(/image\/png, \d+ bytes, 4x3, 4 channels, alpha/);
      expect(described!.text).toContain("Ask about it with a model");
    }
  });

  test("READ-23 READ-60 IURL-22 anchors for what can be edited, none for the rest", async () => {
    const files = {
      "f.txt": "text\n",
      ".omp/skills/fly/SKILL.md": "---\ndescription: d\n---\nflap\n",
    };
    const [file, skill] = await readAll(files, ["f.txt", "skill://fly"]);
    expect(file!.text).toMatch(/^¶f\.txt#[0-9A-F]{4}\n1:text$/);
    expect(skill!.text).not.toContain("¶");
  });

  test("the settings of reading reach the tool", async () => {
    const lines = Array.from({ length: 50 }, (_, at) => `line ${at + 1}`).join("\n");
    const config =
      "read: { defaultLimit: 5 }\nfetch: { enabled: false }\nedit: { mode: replace }\nreadLineNumbers: true\n";
    const [file, page] = await readAll({ f: lines }, ["f", "http://127.0.0.1:9/"], { config });
    expect(file!.text).toBe(
      "1:line 1\n2:line 2\n3:line 3\n4:line 4\n5:line 5\n\n[Showing lines 1-5 of 50. Use :6 to continue]",
    );
    expect(page).toMatchObject({ isError: true, text: expect.stringContaining("fetch.enabled") });
    const [refused] = await readAll({}, ["http://127.0.0.1:9/"]);
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining("fetch.privateHosts"),
    });
  });
});
