/** A kept listing never hides what a tool has just done. */

import { expect, test } from "bun:test";
import { bash } from "../src/bash/tool.ts";
import { editTool } from "../src/edit/tool.ts";
import { find } from "../src/find/tool.ts";
import { search } from "../src/search/tool.ts";
import { write } from "../src/write/tool.ts";
import { createWorkbench } from "./workbench.ts";

test("FSC-20 FSC-21 listings know of every write, edit, rename, removal and command at once", async () => {
  await using bench = createWorkbench();
  const patch = editTool({ mode: "patch", payloadSign: "~" });
  const listing = async () => {
    const request = {
      root: bench.cwd,
      hidden: true,
      ignores: true,
      nodeModules: true,
      cache: true,
    };
    const { entries } = await bench.scans.scan(request);
    return entries.map(({ path }) => path.slice(bench.cwd.length + 1));
  };
  expect(await listing()).toEqual([]);
  await bench.call(write, { path: "a.txt", content: "one\n" });
  expect(await listing()).toEqual(["a.txt"]);
  const create = { files: [{ path: "b.txt", op: "create", diff: "two\n" }] };
  expect(await bench.call(patch, create)).toMatchObject({ isError: false });
  expect(await listing()).toEqual(["a.txt", "b.txt"]);
  const move = { files: [{ path: "b.txt", op: "update", rename: "c.txt" }] };
  expect(await bench.call(patch, move)).toMatchObject({ isError: false });
  expect(await listing()).toEqual(["a.txt", "c.txt"]);
  const remove = { files: [{ path: "a.txt", op: "delete" }] };
  expect(await bench.call(patch, remove)).toMatchObject({ isError: false });
  expect(await listing()).toEqual(["c.txt"]);
  await bench.call(bash, { command: "touch x" });
  expect(await listing()).toEqual(["c.txt", "x"]);
});

test("FSC-17 a search does not look at listings", async () => {
  await using bench = createWorkbench();
  const request = { root: bench.cwd, hidden: true, ignores: true, nodeModules: true, cache: true };
  for (const name of ["a", "b"]) {
    await bench.scans.scan(request);
    bench.file(name, "word\n");
    expect((await bench.call(search, { pattern: "word" })).text).toContain(`¶${name}#`);
    expect((await bench.call(find, { paths: [name] })).text).toBe(name);
  }
});
