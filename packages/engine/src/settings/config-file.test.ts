/** Files of settings as people and accidents leave them: a clear word with the place, and the start goes on. */

import { workspace } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfigFile } from "./config-file.ts";
import { duplicateKeys } from "./duplicate-keys.ts";
import { settingAreas } from "./registry.ts";
import { retryArea } from "./schema/retry.ts";
import { loadSettings } from "./store.ts";

function bomb(): string {
  const rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let at = 1; at < 9; at++) {
    rows.push(`a${at}: &a${at} [${Array.from({ length: 9 }, () => `*a${at - 1}`).join(", ")}]`);
  }
  return rows.join("\n");
}

/** What is wrong, the text, the line or none, the reason. */
const broken: readonly (readonly [string, string | Buffer, number | undefined, RegExp])[] = [
  ["a tab as indentation", "retry:\n\tmaxRetries: 3\n", 2, /^Tab characters cannot be used/],
  ["a bracket that stays open", "a: 1\nretry: [\nb: 2\n", 2, /^Unexpected token/],
  ["a quote that stays open", 'a: 1\nb: "x\nc: 2\n', 2, /./],
  ["a NUL byte", "a: 1\nb: \0\n", 2, /^it has a NUL byte$/],
  ["aliases that grow without end", bomb(), undefined, /^Excessive aliasing$/],
  ["an alias of itself", "a: &a { b: *a }\n", undefined, /^it has an alias that contains itself$/],
  [
    "brackets without end",
    `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    undefined,
    /^it is nested too deeply$/,
  ],
  ["a list", "- a\n", undefined, /^it must be a mapping/],
  ["a text", "hello\n", undefined, /^it must be a mapping/],
  ["two documents", "a: 1\n---\nb: 2\n", undefined, /^it must be a mapping/],
  ["10 MB", Buffer.alloc(10 * 1024 * 1024, "# x\n"), undefined, /^it is larger than 1 MB$/],
  ["another program's data", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0xff]), 1, /NUL|Unexpected/],
];

describe("what is wrong with a file", () => {
  test.each(broken)("%s", async (_title, content, line, reason) => {
    await using place = await workspace();
    const path = join(place.path, "config.yml");
    writeFileSync(path, content);
    const file = readConfigFile(path);
    expect(file).toEqual({
      kind: "error",
      place: expect.stringMatching(
        line === undefined ? /config\.yml(?::\d+)?$/ : new RegExp(`config\\.yml:${line}$`),
      ),
      reason: expect.stringMatching(reason),
    });
    const settings = await loadSettings({
      areas: settingAreas,
      configFile: path,
      environment: {},
      flags: {},
    });
    expect(settings.values(retryArea).maxRetries).toBe(10);
    expect(settings.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^cannot be read: .*; defaults are in force$/),
    ]);
  });

  test("a folder in its place", async () => {
    await using place = await workspace();
    mkdirSync(join(place.path, "config.yml"));
    expect(readConfigFile(join(place.path, "config.yml"))).toMatchObject({
      kind: "error",
      reason: "it is a folder",
    });
  });

  test.skipIf(process.getuid?.() === 0)("a file that may not be read", async () => {
    await using place = await workspace();
    const path = await place.write("config.yml", "a: 1\n");
    chmodSync(path, 0);
    expect(readConfigFile(path)).toMatchObject({ kind: "error", reason: "it may not be read" });
  });
});

test.each([
  ["a byte order mark", "\uFEFFretry: { maxRetries: 3 }\n"],
  ["line ends of Windows", "retry:\r\n  maxRetries: 3\r\n"],
  ["JSON", '{"retry": {"maxRetries": 3}}'],
  ["anchors and merges", "a: &a { maxRetries: 3 }\nretry:\n  <<: *a\n"],
  ["keys without values", "retry:\n  maxRetries: 3\n  enabled:\nlsp:\n"],
])("nothing is wrong with %s", async (_title, text) => {
  await using place = await workspace({ files: { "config.yml": text } });
  const configFile = join(place.path, "config.yml");
  const settings = await loadSettings({
    areas: settingAreas,
    configFile,
    environment: {},
    flags: {},
  });
  expect(settings.problems).toEqual([]);
  expect(settings.values(retryArea)).toMatchObject({ maxRetries: 3, enabled: true });
});

test("nothing there is no fault, be it the file or its folder", async () => {
  await using place = await workspace({ files: { file: "" } });
  expect(readConfigFile(join(place.path, "none/config.yml")).kind).toBe("not-found");
  expect(readConfigFile(join(place.path, "file/config.yml")).kind).toBe("not-found");
});

test.each([
  ["at the top", "a: 1\nb: 2\na: 3\n", ["a:3<1"]],
  ["inside a mapping", "r:\n  x: 1\n  y: 2\n  x: 3\ns:\n  x: 4\n", ["x:4<2"]],
  ["quoted", "\"a\": 1\n'a': 2\n", ["a:2<1"]],
  ["not in items of a list", "l:\n  - a: 1\n  - a: 2\n- a: 1\n", []],
  ["not in texts", "t: |\n  a: 1\n  a: 2\nu: >-\n  b: 1\n  b: 2\n", []],
  ["not in comments", "a: 1\n# a: 2\n", []],
  ["not in mappings that only look alike", "x:\n  a: 1\ny:\n  a: 1\nz:\n    a: 1\n", []],
])("a key that is there twice: %s", (_title, text, expected) => {
  const found = duplicateKeys(text).map(
    ({ key, line, firstLine }) => `${key}:${line}<${firstLine}`,
  );
  expect(found).toEqual([...expected]);
});
