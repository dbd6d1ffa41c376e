/** The frame of the generated references, and the words made from schemas. */

import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { code, page, table, type Document } from "./docs/document.ts";
import { documents } from "./docs/registry.ts";
import { fieldsOf, wordsFor } from "./docs/schema.ts";
import { staleDocs, writeDocs } from "./gen-docs.ts";

test("what is written is up to date; what was edited, is missing or has no source is stale", async () => {
  const folder = await mkdtemp(join(tmpdir(), "docs-"));
  try {
    const all: Document[] = [
      { file: "a.md", render: async () => "a\n" },
      { file: "b.md", render: async () => "b\n" },
    ];
    expect(await staleDocs(folder, all)).toEqual(["a.md", "b.md"]);
    await Bun.write(join(folder, "old.md"), "old");
    await writeDocs(folder, all);
    expect((await readdir(folder)).sort()).toEqual(["a.md", "b.md"]);
    expect(await staleDocs(folder, all)).toEqual([]);
    await Bun.write(join(folder, "a.md"), "edited");
    await Bun.write(join(folder, "old.md"), "old");
    expect(await staleDocs(folder, all)).toEqual(["a.md", "old.md"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a page says where it comes from; a table keeps bars and line breaks inside their cells", () => {
  expect(page("Title", "there", [table(["A"], [["x | y\n z"], [code("c")], [code("")]])])).toBe(
    "<!-- Generated from there by `npm run docs`. Do not edit. -->\n\n# Title\n\n" +
      "| A |\n| --- |\n| x \\| y z |\n| `c` |\n|  |\n",
  );
});

test.each([
  [{ type: "string" }, "string"],
  [{ const: "a" }, '"a"'],
  [{ enum: ["a", 1] }, '"a" or 1'],
  [{ anyOf: [{ const: "a" }, { type: "boolean" }] }, '"a" or boolean'],
  [{ type: "array", items: { type: "string" } }, "list of string"],
  [{ type: "object", patternProperties: { "^.*$": { type: "string" } } }, "map of string"],
  [{ type: "object", properties: { a: {}, b: {} }, required: ["a"] }, "{ a, b? }"],
  [{ type: "integer", minimum: 0 }, "integer from 0"],
  [{ type: "number", minimum: 0, maximum: 1 }, "number from 0 to 1"],
  [{ type: ["string", "null"] }, "string or null"],
  [{}, "anything"],
])("%p is %s", (schema, words) => {
  expect(wordsFor(schema)).toBe(words);
});

test("fields keep their order and know whether they are required", () => {
  const schema = {
    properties: { b: { type: "string", description: "B" }, a: { type: "integer" } },
    required: ["b"],
  };
  expect(fieldsOf(schema)).toEqual([
    { name: "b", type: "string", isRequired: true, description: "B" },
    { name: "a", type: "integer", isRequired: false, description: "" },
  ]);
});

test("every reference renders from the registries, and no two share a file", async () => {
  for (const { render } of documents) expect(await render()).toContain("Do not edit");
  expect(new Set(documents.map(({ file }) => file)).size).toBe(documents.length);
});
