/** Find and search in the engine: their names, their settings, what is kept of them. */

import { callTool, say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { sent, stage, type Stage, type StageOptions } from "./stage.ts";

const once = (name: string, input: object) => [turn(callTool(name, input)), turn(say("ok"))];

/** What the model was told the tools are, and what it was answered. */
async function go(set: Stage, options: StageOptions = {}) {
  await using booted = await set.boot(options);
  await booted.prompt("go");
  const tools = booted.engine.snapshot().tools.map(({ name }) => name);
  return { tools, answer: set.model.requests.length > 1 ? sent(set.model, 1) : "" };
}

test("SRCH-01 SRCH-11 a call of grep is a search, --tools takes the name, settings say how much is shown", async () => {
  await using set = await stage(once("grep", { pattern: "word", path: "a.txt" }));
  await set.place.write("a.txt", "one\ntwo\nword\nfour\nfive\n");
  const config = "grep: { contextBefore: 2, contextAfter: 0 }\n";
  const { tools, answer } = await go(set, { tools: ["grep"], config });
  expect(tools).toEqual(["search"]);
  expect(answer).toContain(" 1|one\\n 2|two\\n*3|word");
  expect(answer).not.toContain("four");
});

test("FIND-34 a call of glob is a find", async () => {
  await using set = await stage(once("glob", { path: "src" }));
  await set.place.write("src/found.txt", "");
  const { tools, answer } = await go(set);
  expect(tools).toContain("find");
  expect(tools).not.toContain("glob");
  expect(answer).toContain("src/found.txt");
});

const OFF = [
  ["find: { enabled: false }\n", "find"],
  ["glob: { enabled: false }\n", "find"],
  ["search: { enabled: false }\n", "search"],
  ["grep: { enabled: false }\n", "search"],
] as const;
test.each(OFF)("SET-119 SET-120 %j leaves out %s", async (config, name) => {
  await using set = await stage([turn(say("ok"))]);
  const { tools } = await go(set, { config });
  expect(tools).not.toContain(name);
  expect(tools).toContain("read");
});

test("SRCH-18 that nothing was found is kept with the result", async () => {
  await using set = await stage([
    turn(callTool("search", { pattern: "nonsense" })),
    turn(callTool("search", { pattern: "sense" })),
    turn(say("ok")),
  ]);
  await set.place.write("a.txt", "sense\n");
  await go(set);
  const results = (await set.entries())
    .map((entry) => entry["message"] as { role?: string; useless?: true } | undefined)
    .filter((message) => message?.role === "toolResult");
  expect(results.map((message) => message!.useless)).toEqual([true, undefined]);
});
