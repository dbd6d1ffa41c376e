/** Slash commands of other tools, in the engine. */

import type { Trust } from "@omp/agent";
import { say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { sent, stage, type Stage, type StageOptions } from "./stage.ts";

const trusting: Trust = {
  isFolderTrusted: () => Promise.resolve(true),
  allowed: (items) => Promise.resolve(items),
};
const home = ({ place }: Stage, path: string, text: string) =>
  place.write(join(place.home, path), text);

async function offered(set: Stage, options: StageOptions = {}) {
  await using omp = await set.boot({ trust: trusting, ...options });
  const list = await omp.engine.dispatch({ type: "list_slash_commands" });
  return list.filter(({ source }) => source !== "built in");
}

async function expansionOf(set: Stage, text: string, options: StageOptions = {}): Promise<string> {
  await using omp = await set.boot({ trust: trusting, ...options });
  await omp.prompt(text);
  return sent(set.model, set.model.requests.length - 1);
}

const answers = (count: number) => Array.from({ length: count }, () => turn(say("ok")));

test("SLASH-06 SLASH-14 of Claude's commands the person's own counts, and lists say where it is from", async () => {
  await using set = await stage(answers(2));
  await home(set, ".claude/commands/x.md", "USER-TEXT");
  await set.place.write(".claude/commands/x.md", "PROJECT-TEXT");
  await set.place.write(".claude/commands/y.md", "Y-TEXT");
  expect(await expansionOf(set, "/x")).toContain("USER-TEXT");
  expect((await offered(set)).map(({ name, source }) => `${name} ${source}`)).toEqual([
    "x via Claude Code User",
    "y via Claude Code Project",
  ]);
});

test.each([
  ["SLASH-07", ".codex/commands", ".codex/commands"],
  ["SLASH-08", ".config/opencode/commands", ".opencode/commands"],
])(
  "SLASH-07 SLASH-08 %s: the person's own counts, and the front matter may name it",
  async (_id, user, project) => {
    await using set = await stage(answers(1));
    await home(set, `${user}/a.md`, "---\nname: b\n---\nUSER-TEXT");
    await set.place.write(`${project}/b.md`, "PROJECT-TEXT");
    expect((await offered(set)).map(({ name }) => name)).toEqual(["b"]);
    const expanded = await expansionOf(set, "/b");
    expect(expanded).toContain('"USER-TEXT"');
    expect(expanded).not.toContain("name: b");
  },
);

test("SLASH-09 SLASH-11 SET-378 SET-379 SET-380 SET-381 each place of Claude and OpenCode can be switched off", async () => {
  await using set = await stage([]);
  await home(set, ".claude/commands/a.md", "x");
  await set.place.write(".claude/commands/b.md", "x");
  await home(set, ".config/opencode/commands/c.md", "x");
  await set.place.write(".opencode/commands/d.md", "x");
  const without = async (name: string) =>
    (await offered(set, { config: `commands: { ${name}: false }` }))
      .map((one) => one.name)
      .join("");
  expect((await offered(set)).map(({ name }) => name).join("")).toBe("abcd");
  expect(await without("enableClaudeUser")).toBe("bcd");
  expect(await without("enableClaudeProject")).toBe("acd");
  expect(await without("enableOpencodeUser")).toBe("abd");
  expect(await without("enableOpencodeProject")).toBe("abc");
});

test("SLASH-10 SPM-14 commands of Claude's plugins in the order of its list, for the project they are for", async () => {
  await using set = await stage(answers(1));
  const at = (name: string) => join(set.place.home, "plugins", name);
  const installed = {
    version: 2,
    plugins: {
      "one@m": [{ scope: "user", installPath: at("one") }],
      "two@m": [{ scope: "user", installPath: at("two") }],
      "here@m": [{ scope: "project", installPath: at("here"), projectPath: set.place.path }],
      "else@m": [{ scope: "project", installPath: at("else"), projectPath: "/elsewhere" }],
      "old@m": { installPath: at("old") },
    },
  };
  await home(set, ".claude/plugins/installed_plugins.json", JSON.stringify(installed));
  for (const name of ["one", "two", "here", "else", "old"]) {
    await home(set, `plugins/${name}/commands/${name}.md`, `${name} text`);
    await home(set, `plugins/${name}/commands/same.md`, `SAME of ${name}`);
  }
  const names = (await offered(set)).map(({ name }) => name);
  expect(names.toSorted()).toEqual(["here", "old", "one", "same", "two"]);
  expect(await expansionOf(set, "/same")).toContain("SAME of one");
});

test("a command of a project that nobody trusts does not hide the person's weaker one", async () => {
  await using set = await stage(answers(1));
  await set.place.write(".omp/commands/x.md", "PROJECT-TEXT");
  await home(set, ".codex/commands/x.md", "USER-TEXT");
  const { trust: _trust, ...careful } = { trust: undefined };
  await using omp = await set.boot(careful);
  await omp.prompt("/x");
  expect(sent(set.model, 0)).toContain("USER-TEXT");
});
