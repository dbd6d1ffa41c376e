/** Documents and notebooks through the read tool. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { read } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (path: string) => bench.call(read, { path });
const textOf = async (path: string) => (await call(path)).text;

test("READ-46 a notebook is the text of its cells; selectors act on it, raw shows the JSON", async () => {
  const cells = [
    { cell_type: "markdown", source: ["# Title\n", "words"], metadata: {} },
    { cell_type: "code", source: "a = 1\nb = 2", outputs: [{ text: "out" }], metadata: {} },
    { cell_type: "raw", source: [] },
  ];
  const json = JSON.stringify({ cells, nbformat: 4 });
  bench.file("n.ipynb", json);
  const text =
    "# %% [markdown] cell:1\n# Title\nwords\n\n# %% [code] cell:2\na = 1\nb = 2\n\n# %% [raw] cell:3";
  expect(await textOf("n.ipynb")).toBe(text);
  expect(await textOf("n.ipynb:5-6:raw")).not.toContain("a = 1");
  expect(await textOf("n.ipynb:6-6,7-7")).toBe("a = 1\nb = 2");
  expect(await textOf("n.ipynb:raw")).toBe(json);
});

test("a line of a cell that looks like a marker gets one more sign", async () => {
  const cells = [
    { cell_type: "code", source: "# %% [code] cell:9\n# %%% [raw] cell:1\n# %% plain" },
  ];
  bench.file("n.ipynb", JSON.stringify({ cells }));
  expect(await textOf("n.ipynb")).toBe(
    "# %% [code] cell:1\n# %%% [code] cell:9\n# %%%% [raw] cell:1\n# %% plain",
  );
});

const BROKEN = [
  ["no JSON", "{", "not valid JSON"],
  ["no object", "[]", "not an object"],
  ["no cells", "{}", "no list of cells"],
  ["cells that are no list", '{"cells": {}}', "no list of cells"],
  ["a cell of an unknown kind", '{"cells": [{"cell_type": "x", "source": ""}]}', "unknown type x"],
  ["a cell that is no object", '{"cells": [1]}', "Cell 1 is not an object"],
  ["a source that is no text", '{"cells": [{"cell_type": "raw", "source": [1]}]}', "no text"],
] as const;

test.each(BROKEN)("READ-48 a notebook with %s is an error", async (_what, json, message) => {
  bench.file("n.ipynb", json);
  expect(await call("n.ipynb")).toMatchObject({
    isError: true,
    text: expect.stringContaining(message),
  });
});

test("a document that cannot be read is told as such, and its bytes are there raw", async () => {
  for (const kind of ["pdf", "docx", "xlsx", "pptx", "epub", "rtf"]) {
    bench.file(`bad.${kind}`, "nothing of the kind");
    expect(await call(`bad.${kind}`)).toMatchObject({
      isError: false,
      text: expect.stringMatching(new RegExp(`^\\[Cannot read \\.${kind} file: .+\\]$`)),
    });
    expect(await textOf(`bad.${kind}:raw`)).toBe("nothing of the kind");
  }
  bench.file("old.doc", "x");
  expect(await textOf("old.doc")).toBe(
    "[Cannot read .doc file: the old .doc form is not read here; save it as .docx]",
  );
});

test("selectors act on the text that was made", async () => {
  bench.file("a.rtf", "{\\rtf1 one\\par two\\par {\\b three} \\u8364? \\'e9\\par}");
  expect(await textOf("a.rtf")).toBe("one\ntwo\nthree € é");
  expect(await textOf("a.rtf:2-2,3-3")).toBe("two\nthree € é");
});
