/** Files that other programs wrote must open for ever. */

import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import type { Message } from "@omp/ai/schema";
import { contextOf, readSessionFile, SessionLog, treeOf } from "@omp/session";
import { doors, golden } from "./scratch.ts";

const FILES = [
  {
    name: "omp-18.2.3-print",
    entries: 8,
    branch: 8,
    messages: 4,
    last: "Continued from the command line.",
  },
  {
    name: "omp-18.2.3-tools",
    entries: 33,
    branch: 33,
    messages: 20,
    last: "It timed out after a second.",
  },
  { name: "omp-18.2.3-title", entries: 11, branch: 11, messages: 6, last: undefined },
  { name: "omp-18.2.3-errors", entries: 13, branch: 13, messages: 7, last: undefined },
  {
    name: "omp-18.2.3-tui-clear",
    entries: 11,
    branch: 11,
    messages: 2,
    last: "Answer after the clear.",
  },
  {
    name: "omp-18.2.3-tui-tree",
    entries: 19,
    branch: 13,
    messages: 9,
    last: "Answer four.",
  },
  { name: "omp-18.2.3-compacted-last", entries: 10, branch: 10, messages: 2, last: undefined },
  { name: "omp-18.2.3-title-long", entries: 6, branch: 6, messages: 2, last: undefined },
  { name: "pi-0.73.1-title", entries: 10, branch: 10, messages: 6, last: undefined },
  { name: "pi-0.73.1-bash", entries: 10, branch: 10, messages: 8, last: undefined },
  { name: "pi-0.73.1-smoke", entries: 10, branch: 10, messages: 8, last: "done" },
  {
    name: "pi-0.73.1-tree",
    entries: 22,
    branch: 9,
    messages: 7,
    last: "Answer three D, knowing what way C found.",
  },
];

test.each(FILES)("$name opens whole and resumes where it was", async (file) => {
  const path = golden(file.name);
  const before = statSync(path);
  await using log = await SessionLog.open({ path, access: "read", ...doors() });
  expect(log.problems).toEqual([]);
  expect(log.header.cwd).toBe("/home/user/project");
  expect(log.entries.length).toBe(file.entries);
  expect(log.branch().length).toBe(file.branch);
  const { messages, model } = contextOf(log.branch());
  expect(model).toBe("bench/bench-model");
  expect(messages.length).toBe(file.messages);
  if (file.last !== undefined) expect(textOf(messages.at(-1))).toBe(file.last);
  expect(statSync(path).mtimeMs).toBe(before.mtimeMs);
});

test("SESS-11 the title slot before the header gives the header its title", async () => {
  const { header } = await readSessionFile(golden("omp-18.2.3-title"));
  expect(header).toMatchObject({ title: 'Gezeiten – 潮汐表 "quoted" 🌊', titleSource: "user" });
  const untitled = await readSessionFile(golden("omp-18.2.3-print"));
  expect(untitled.header).not.toHaveProperty("title");
});

test("failed answers are in the transcript but not in the context", async () => {
  const { entries } = await readSessionFile(golden("omp-18.2.3-errors"));
  const stored = JSON.stringify(entries);
  const sent = JSON.stringify(contextOf(entries).messages);
  expect(stored).toContain("Half an answer");
  expect(sent).not.toContain("Half an answer");
});

test("the tree of a file with four branches has them all, with the labels in force", async () => {
  const { entries } = await readSessionFile(golden("pi-0.73.1-tree"));
  const open = [...treeOf(entries)];
  expect(open.length).toBe(1);
  const labels: Record<string, string> = {};
  let leaves = 0;
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.label !== undefined) labels[node.entry.id] = node.label;
    if (node.children.length === 0) leaves++;
    open.push(...node.children);
  }
  expect(leaves).toBe(4);
  expect(labels).toEqual({ c6b2180b: "fork point", "627afefb": "way A, renamed" });
});

function textOf(message: Message | undefined): string {
  if (!message) return "";
  const { content } = message;
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
