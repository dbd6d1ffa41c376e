/** Kinds in sources: what is found, who wins, what is left out. */

import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { needs } from "../../../test/needs.ts";
import { configFolders, nearestConfigFolders } from "../src/discovery/config-folders.ts";
import { settle } from "../src/discovery/discovery.ts";
import type { Hook } from "../src/discovery/item.ts";
import { kinds } from "../src/discovery/kinds/registry.ts";
import { discoveryStage, names, origins } from "./discovery-stage.ts";

const SKILL = "---\ndescription: does it\n---\nbody";

test("CFG-01 CFG-02 every base of the four families is looked at, and .omp is the strongest", async () => {
  await using set = await discoveryStage();
  const bases = [
    "agent",
    "~/.claude",
    "~/.codex",
    "~/.gemini",
    ".omp",
    ".claude",
    ".codex",
    ".gemini",
  ];
  for (const base of bases) {
    const own = base.replaceAll(/\W/g, "") + (base.startsWith("~") ? "-user" : "");
    await set.write(
      [`${base}/skills/${own}/SKILL.md`, SKILL],
      [`${base}/skills/same/SKILL.md`, SKILL],
    );
  }
  const { items } = set.discovery().find("skill");
  expect(
    items
      .map(({ name }) => name)
      .filter((name) => name !== "same")
      .toSorted(),
  ).toEqual([
    "agent",
    "claude",
    "claude-user",
    "codex",
    "codex-user",
    "gemini",
    "gemini-user",
    "omp",
  ]);
  const strongest = items.filter(({ name }) => name === "same");
  expect(strongest.map(({ path }) => path)).toEqual([set.at(".omp/skills/same/SKILL.md")]);
});

test("CFG-03 .pi folders are not looked at", async () => {
  await using set = await discoveryStage();
  await set.write(".pi/commands/x.md", "~/.pi/commands/x.md", [".pi/skills/s/SKILL.md", SKILL]);
  await set.write(".pi/SYSTEM.md", ".pi/AGENTS.md", ".pi/extensions/e.ts");
  const discovery = set.discovery();
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    expect(discovery.find(kind).items).toEqual([]);
  }
});

test("CFG-04 candidate folders: the person's, then the project's, by family", async () => {
  await using set = await discoveryStage();
  await set.write(".claude/agents/a.md", "agent/agents/a.md");
  const place = { cwd: set.place.path, home: set.place.home, agentDir: set.at("agent/.") };
  const paths = (options: object) =>
    configFolders("agents", place, options).map(({ path, level, source }) => [level, source, path]);
  const user = [".omp", ".claude", ".codex", ".gemini"].map((source) => {
    const base = source === ".omp" ? set.at("agent/agents") : set.at(`~/${source}/agents`);
    return ["user", source, base];
  });
  const project = [".omp", ".claude", ".codex", ".gemini"].map((source) => {
    return ["project", source, set.at(`${source}/agents`)];
  });
  expect(paths({})).toEqual([...user, ...project]);
  expect(paths({ user: false })).toEqual(project);
  expect(paths({ project: false })).toEqual(user);
  expect(paths({ existingOnly: true })).toEqual([user[0]!, project[1]!]);
  const elsewhere = paths({ user: false, cwd: "/elsewhere" });
  expect(elsewhere[0]).toEqual(["project", ".omp", "/elsewhere/.omp/agents"]);
});

test("CFG-06 the nearest folder of each family, by family", async () => {
  await using set = await discoveryStage();
  await set.write(".omp/agents/x.md", "a/.omp/agents/x.md", ".claude/agents/x.md", "a/b/file");
  const place = { cwd: set.at("a/b"), home: set.place.home, agentDir: set.at("agent/.") };
  expect(nearestConfigFolders("agents", place).map(({ path }) => path)).toEqual([
    set.at("a/.omp/agents"),
    set.at(".claude/agents"),
  ]);
});

test("CFG-23 SLASH-01 of a name the strongest source counts, one after the other", async () => {
  await using set = await discoveryStage();
  const plugin = join(set.place.home, "plugin");
  await set.write(
    [".omp/commands/x.md", "native"],
    ["~/.claude/commands/x.md", "claude"],
    ["~/plugin/commands/x.md", "plugin"],
    [
      "~/.claude/plugins/installed_plugins.json",
      JSON.stringify({ version: 2, plugins: { "p@m": [{ scope: "user", installPath: plugin }] } }),
    ],
    ["~/.codex/commands/x.md", "codex"],
    ["~/.config/opencode/commands/x.md", "opencode"],
  );
  const order = [
    [".omp", "native", 100],
    ["~/.claude/commands", "claude", 80],
    ["~/plugin", "plugin", 70],
    ["~/.codex", "codex", 70],
    ["~/.config/opencode", "opencode", 55],
  ] as const;
  for (const [folder, body, priority] of order) {
    expect(set.discovery().find("slash-command").items).toMatchObject([{ body, priority }]);
    rmSync(set.at(folder), { recursive: true });
  }
  expect(set.discovery().find("slash-command").items).toEqual([]);
});

test("CFG-24 those that are hidden are known with what hides them; without a key all count", async () => {
  await using set = await discoveryStage();
  await set.write(".omp/commands/x.md", ".claude/commands/x.md", "agent/commands/x.md");
  await set.write([".omp/settings.json", "{}"], [".claude/settings.json", "{}"]);
  const { items, shadowed } = set.discovery().find("slash-command");
  const winner = { path: set.at(".omp/commands/x.md"), sourceName: "omp", level: "project" };
  expect(items).toMatchObject([winner]);
  expect(shadowed).toMatchObject([
    { item: { path: set.at("agent/commands/x.md"), level: "user" }, by: winner },
    { item: { path: set.at(".claude/commands/x.md"), sourceName: "Claude Code" }, by: winner },
  ]);
  expect(origins(set.discovery(), "settings")).toEqual(["native/project", "claude/project"]);
});

test("CFG-25 hooks are told apart by stage, tool and name; the others by name", async () => {
  await using set = await discoveryStage();
  await set.write(
    "agent/hooks/pre/guard.ts",
    ".omp/hooks/post/guard.ts",
    ".claude/hooks/pre/guard.ts",
  );
  const hooks = set.discovery().find("hook");
  expect(hooks.items.map(({ stage, level }) => `${stage} ${level}`)).toEqual([
    "post project",
    "pre user",
  ]);
  expect(hooks.shadowed).toMatchObject([{ item: { source: "claude" } }]);
  const [hook] = hooks.items as readonly [Hook];
  const onBash = { ...hook, tool: "bash" };
  const onRead = { ...hook, tool: "read" };
  expect(settle(kinds.hook, [onBash, onRead, onBash])).toEqual({
    items: [onBash, onRead],
    shadowed: [{ item: onBash, by: onBash }],
  });
  for (const kind of [
    "skill",
    "tool",
    "extension-module",
    "extension",
    "slash-command",
    "mcp-server",
  ] as const) {
    expect(kinds[kind].key({ ...hook, name: "n" } as never)).toBe("n");
  }
});

test("CFG-26 a source that fails and a broken file are warnings with a place; the others are there", async () => {
  await using set = await discoveryStage();
  await set.write(
    ["~/.claude/plugins/installed_plugins.json", "{ not json"],
    ["~/.codex/commands/ok.md", "fine"],
    ["agent/commands/large.md", "x".repeat(1024 * 1024 + 1)],
    [
      ".omp/mcp.json",
      JSON.stringify({ mcpServers: { "": { command: "x" }, bad: {}, good: { url: "u" } } }),
    ],
    ["mcp.json", JSON.stringify({ mcpServers: { bad: { command: "weaker" } } })],
    [".cursor/mcp.json", "{ broken"],
  );
  const commands = set.discovery().find("slash-command");
  expect(commands.items.map(({ name }) => name)).toEqual(["ok"]);
  expect(commands.warnings).toMatchObject([
    { place: "Claude Code plugins", text: expect.stringContaining("installed_plugins.json") },
    { place: set.at("agent/commands/large.md"), text: "not used: larger than 1024 KiB" },
  ]);
  const servers = set.discovery().find("mcp-server");
  expect(servers.items.map(({ name, source }) => `${name} ${source}`)).toEqual([
    "good native",
    "bad mcp-json",
  ]);
  expect(servers.warnings.slice(1)).toMatchObject([
    { place: set.at(".omp/mcp.json"), text: expect.stringContaining("bad: not used") },
    { place: set.at(".cursor/mcp.json"), text: expect.stringContaining("not used") },
  ]);
});

test("CFG-27 CFG-28 of native items the project's count first; an empty .omp is no trouble", async () => {
  await using set = await discoveryStage();
  await set.write(["agent/commands/x.md", "user"]);
  mkdirSync(set.at(".omp"));
  const empty = set.discovery();
  expect(empty.find("slash-command").items).toMatchObject([{ body: "user" }]);
  expect(empty.find("slash-command").warnings).toEqual([]);
  await set.write([".omp/commands/x.md", "project"]);
  expect(set.discovery().find("slash-command").items).toMatchObject([{ body: "project" }]);
});

test("CFG-29 SPM-01 native skills of every folder up to the root of the repository", async () => {
  await using set = await discoveryStage({ git: false });
  for (const path of ["repo/a/.omp", "repo/.omp", ".omp"]) {
    await set.write([`${path}/skills/${path.replaceAll(/\W/g, "")}/SKILL.md`, SKILL]);
  }
  await set.write(["agent/skills/mine/SKILL.md", SKILL], ["repo/a/b/file", ""]);
  mkdirSync(set.at("repo/.git"));
  expect(names(set.discovery("repo/a/b"), "skill")).toEqual(["repoaomp", "repoomp", "mine"]);
});

test("files of every native kind are found by their names", async () => {
  await using set = await discoveryStage();
  await set.write(
    ".omp/rules/a.md",
    ".omp/rules/b.mdc",
    ".omp/prompts/p.md",
    ".omp/instructions/i.md",
    ".omp/commands/c.md",
    ...["json", "md", "ts", "js", "sh", "bash", "py"].map(
      (ending) => `.omp/tools/t-${ending}.${ending}`,
    ),
    ".omp/tools/boxed/index.ts",
    ".omp/tools/none.txt",
    ".omp/extensions/plain.ts",
    ".omp/extensions/boxed/index.ts",
    ".omp/extensions/gem/gemini-extension.json",
    [".omp/settings.json", '{ "extensions": ["./own/listed.ts"] } // old form'],
  );
  const discovery = set.discovery();
  expect(names(discovery, "rule")).toEqual(["a", "b"]);
  expect(names(discovery, "prompt")).toEqual(["p"]);
  expect(names(discovery, "instruction")).toEqual(["i"]);
  expect(names(discovery, "slash-command")).toEqual(["c"]);
  expect(names(discovery, "tool")).toEqual([
    "t-bash",
    "t-js",
    "t-json",
    "t-md",
    "t-py",
    "t-sh",
    "t-ts",
    "boxed",
  ]);
  expect(discovery.find("tool").items.at(-1)!.path).toBe(set.at(".omp/tools/boxed/index.ts"));
  expect(names(discovery, "extension-module")).toEqual(["plain", "boxed", "listed"]);
  expect(discovery.find("extension-module").items.at(-1)!.path).toBe(set.at(".omp/own/listed.ts"));
  expect(names(discovery, "extension")).toEqual(["gem"]);
});

test("hooks are those in pre and post; a file beside them is none", async () => {
  await using set = await discoveryStage();
  await set.write(".omp/hooks/pre/a.ts", ".omp/hooks/post/b.js", ".omp/hooks/c.ts");
  const { items } = set.discovery().find("hook");
  expect(items.map(({ stage, name }) => `${stage} ${name}`)).toEqual(["pre a", "post b"]);
});

test("servers of the four native files", async () => {
  await using set = await discoveryStage();
  const server = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: "run" } } });
  await set.write(
    [".omp/mcp.json", server("one")],
    [".omp/.mcp.json", server("two")],
    ["agent/mcp.json", server("three")],
    ["agent/.mcp.json", server("four")],
  );
  expect(names(set.discovery(), "mcp-server")).toEqual(["one", "two", "three", "four"]);
  expect(set.discovery().find("mcp-server").items[0]!.definition).toEqual({ command: "run" });
});

test("servers of other tools' files, each with its source", async () => {
  await using set = await discoveryStage();
  const server = (name: string, field = "mcpServers") =>
    JSON.stringify({ [field]: { [name]: { command: "run" } } });
  await set.write(
    ["~/.claude.json", server("a")],
    ["~/.codex/config.toml", '[mcp_servers.b]\ncommand = "run"\n'],
    [".gemini/settings.json", server("c")],
    [".cursor/mcp.json", server("d")],
    ["~/.codeium/windsurf/mcp_config.json", server("e")],
    [".vscode/mcp.json", server("f", "servers")],
    ["mcp.json", server("g")],
    [".mcp.json", server("h")],
  );
  const { items } = set.discovery().find("mcp-server");
  expect(items.map(({ name, source }) => `${name} ${source}`)).toEqual([
    "a claude",
    "b codex",
    "c gemini",
    "d cursor",
    "e windsurf",
    "f vscode",
    "g mcp-json",
    "h mcp-json",
  ]);
});

describe("CFG-36", () => {
  needs("git")("hidden, ignored and nested files are left out", async () => {
    await using set = await discoveryStage();
    await set.write(".omp/commands/a.md", ".omp/commands/.b.md", ".omp/commands/sub/c.md");
    await set.write(".omp/commands/d.md", ".omp/commands/e.txt", [".gitignore", "d.md\n"]);
    await set.write(
      [".omp/rules/.gitignore", "*\n!kept.md\n"],
      ".omp/rules/kept.md",
      ".omp/rules/x.md",
    );
    expect(names(set.discovery(), "slash-command")).toEqual(["a"]);
    expect(names(set.discovery(), "rule")).toEqual(["kept"]);
    // A project that keeps its configuration to itself still means it.
    await set.write([".gitignore", ".omp/\nd.md\n"]);
    expect(names(set.discovery(), "slash-command")).toEqual(["a"]);
  });
});

test("extension modules of other tools are not even listed", async () => {
  await using set = await discoveryStage();
  await set.write(".claude/extensions/x.ts", ".codex/extensions/x.ts", "~/.claude/extensions/x.ts");
  expect(set.discovery().find("extension-module").items).toEqual([]);
});

test("CFG-40 what is found belongs to a folder, and is forgotten on demand", async () => {
  await using set = await discoveryStage();
  await set.write("a/.omp/commands/here.md", "b/.omp/commands/there.md");
  let cwd = set.at("a");
  const { Discovery } = await import("../src/discovery/discovery.ts");
  const discovery = new Discovery({
    place: () => ({ cwd, home: set.place.home, agentDir: set.at("agent/.") }),
    switches: () => ({ sources: [], items: [], places: [] }),
  });
  expect(names(discovery, "slash-command")).toEqual(["here"]);
  await set.write("a/.omp/commands/late.md");
  expect(names(discovery, "slash-command")).toEqual(["here"]);
  discovery.forget();
  expect(names(discovery, "slash-command")).toEqual(["here", "late"]);
  cwd = set.at("b");
  expect(names(discovery, "slash-command")).toEqual(["there"]);
});

test("sources, places and single items can be switched off", async () => {
  await using set = await discoveryStage();
  await set.write(".omp/commands/x.md", "~/.claude/commands/y.md", ".claude/commands/z.md");
  const found = (switches: object) => names(set.discovery(".", switches), "slash-command");
  expect(found({})).toEqual(["x", "y", "z"]);
  expect(found({ sources: ["claude"] })).toEqual(["x"]);
  expect(found({ places: ["slash-command:claude:user"] })).toEqual(["x", "z"]);
  expect(found({ items: ["slash-command:x", "slash-command:project:z"] })).toEqual(["y"]);
});

test("RULE-02 RULE-03 RULE-04 RULE-05 RULE-06 RULE-08 RULE-14 RULE-15 RULE-16 rules of every source, the stronger first", async () => {
  await using set = await discoveryStage();
  await set.write(
    ".omp/rules/same.md",
    "agent/rules/same.md",
    "agent/rules/b.mdc",
    ".cursor/rules/cur.mdc",
    "~/.cursor/rules/cur.md",
    "~/.cursor/rules/mine.md",
    ".windsurf/rules/cur.md",
    ".windsurf/rules/wind.md",
    "~/.codeium/windsurf/memories/global_rules.md",
    ".cursorrules",
    ".windsurfrules",
    "sub/.clinerules/two.md",
    "sub/.clinerules/one.md",
    ".clinerules",
    "sub/deep/file",
  );
  const here = set.discovery().find("rule");
  expect(here.items.map(({ name, source, level }) => `${name} ${source} ${level}`)).toEqual([
    "same native project",
    "b native user",
    "cur cursor project",
    "cursorrules cursor project",
    "mine cursor user",
    "wind windsurf project",
    "windsurfrules windsurf project",
    "global_rules windsurf user",
    "clinerules cline project",
  ]);
  expect(here.shadowed.map(({ item }) => `${item.name} ${item.source} ${item.level}`)).toEqual([
    "same native user",
    "cur cursor user",
    "cur windsurf project",
  ]);
  const below = set.discovery("sub/deep").find("rule").items;
  expect(below.filter(({ source }) => source === "cline").map(({ name }) => name)).toEqual([
    "one",
    "two",
  ]);
});

test("RULE-01 RULE-07 RULE-09 RULE-10 RULE-11 RULE-12 fields are read the same way for every source", async () => {
  await using set = await discoveryStage();
  const files = {
    full: "---\ndescription: d\nglobs: ['*.ts', 3]\nalwaysApply: true\nttsr_trigger: foo\n---\n\nbody\n\n",
    same: "---\ncondition: foo\n---\nbody",
    odd: "---\ndescription: [x]\nglobs: one\nalwaysApply: 'yes'\ncondition: 7\n---\nbody",
    bent: "---\ndescription: a: b: [\nalwaysApply: true\n---\nbody",
    open: "---\ndescription: d\nbody",
    bare: "\n just text \n",
  };
  for (const folder of [".omp/rules", ".cursor/rules", ".windsurf/rules", ".clinerules"]) {
    await set.write(
      ...Object.entries(files).map(([name, text]) => [`${folder}/${name}.md`, text] as const),
    );
    const discovery = set.discovery();
    const rules = new Map(discovery.find("rule").items.map((rule) => [rule.name, rule]));
    expect(rules.get("full")).toMatchObject({
      description: "d",
      globs: ["*.ts"],
      alwaysApply: true,
    });
    expect(rules.get("full")).toMatchObject({ condition: "foo", content: "body" });
    expect(rules.get("same")).toMatchObject({ condition: "foo" });
    expect(rules.get("odd")).toMatchObject({ globs: ["one"], alwaysApply: false });
    expect(rules.get("odd")).not.toHaveProperty("description");
    expect(rules.get("odd")).not.toHaveProperty("condition");
    expect(rules.get("bent")).toMatchObject({ description: "a: b: [", alwaysApply: true });
    expect(rules.get("open")!.content).toBe(files.open);
    expect(rules.get("bare")).toMatchObject({
      content: "just text",
      globs: [],
      alwaysApply: false,
    });
    expect(discovery.find("rule").warnings).toMatchObject([
      { place: set.at(`${folder}/bent.md`), text: expect.stringContaining("not YAML") },
    ]);
    rmSync(set.at(folder), { recursive: true });
  }
});

test("SKILL-02 the front matter names a skill and may hide it; a native one must say what it is for", async () => {
  await using set = await discoveryStage();
  await set.write(
    [".omp/skills/mute/SKILL.md", "no front matter"],
    [".omp/skills/dir/SKILL.md", "---\nname: named\ndescription: d\nextra: 1\n---\n"],
    [".omp/skills/shy/SKILL.md", "---\ndescription: d\nhide: true\n---\n"],
    [".claude/skills/plain/SKILL.md", "no front matter"],
    [".omp/skills/a/b/SKILL.md", SKILL],
  );
  const { items, warnings } = set.discovery().find("skill");
  expect(items.map(({ name, isHidden }) => `${name} ${isHidden}`)).toEqual([
    "named false",
    "shy true",
    "plain false",
  ]);
  expect(warnings).toMatchObject([{ place: set.at(".omp/skills/mute/SKILL.md") }]);
});

test("what a project brings is read from the project: links that lead out of it are warnings", async () => {
  await using set = await discoveryStage();
  await set.write("~/secret", "inside.md");
  mkdirSync(set.at(".omp/rules"), { recursive: true });
  symlinkSync(set.at("~/secret"), set.at(".omp/rules/out.md"));
  symlinkSync("/proc/self/environ", set.at("AGENTS.md"));
  symlinkSync("../../inside.md", set.at(".omp/rules/in.md"));
  const discovery = set.discovery();
  expect(discovery.find("rule").items.map(({ name }) => name)).toEqual(["in"]);
  expect(discovery.find("rule").warnings).toMatchObject([
    {
      place: set.at(".omp/rules/out.md"),
      text: expect.stringContaining("leads out of the project"),
    },
  ]);
  expect(discovery.find("context-file").items).toEqual([]);
  // The person may keep their own files where they like.
  mkdirSync(set.at("agent/rules"), { recursive: true });
  symlinkSync(set.at("~/secret"), set.at("agent/rules/mine.md"));
  expect(names(set.discovery(), "rule")).toEqual(["in", "mine"]);
});
