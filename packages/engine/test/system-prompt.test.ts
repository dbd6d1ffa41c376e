/** What the model is told before the first word, as it is on the wire. */

import { callTool, say, turn, type RecordedRequest } from "@omp/testkit";
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import builtIn from "../src/conversation/prompts/title.md" with { type: "text" };
import { stage, type Stage, type StageOptions } from "./stage.ts";

const answers = (count: number) => Array.from({ length: count }, () => turn(say("ok")));

/** The system blocks of a request. */
function blocksOf({ model }: Stage, request = -1): readonly string[] {
  const { body } = model.requests.at(request)!;
  const { system = [] } = body as { system?: readonly { text: string }[] };
  return system.map(({ text }) => text);
}

/** The blocks that a first prompt sends. */
async function sentWith(set: Stage, options: StageOptions = {}): Promise<readonly string[]> {
  await using omp = await set.boot(options);
  await omp.prompt("hi");
  return blocksOf(set);
}

const user = ({ place }: Stage, path: string, text: string) =>
  place.write(join(place.home, path), text);

test("SYS-01 RULE-18 RULE-19 RULE-22 RULE-23 SPM-03 the first block: instructions, tools, rules, skills; no folder and no day", async () => {
  await using set = await stage(answers(1));
  await set.place.write(".omp/rules/always.md", "---\nalwaysApply: true\n---\nALWAYS-TEXT");
  await set.place.write(
    ".omp/rules/some.md",
    "---\ndescription: About some\nglobs: ['*.ts', '*.js']\n---\nBODY-TEXT",
  );
  await set.place.write(".omp/rules/late.md", "---\ncondition: x\ndescription: d\n---\nLATE-TEXT");
  await set.place.write(".omp/rules/mute.md", "MUTE-TEXT");
  await set.place.write(
    ".omp/skills/fly/SKILL.md",
    "---\ndescription: How to fly\n---\nSKILL-TEXT",
  );
  await set.place.write(".omp/skills/shy/SKILL.md", "---\ndescription: d\nhide: true\n---\n");
  const [stable = "", facts = "", ...more] = await sentWith(set);
  expect(more).toEqual([]);
  expect(stable).toMatch(/^You are omp/);
  expect(stable).toContain("\n\nTools: bash, edit, find, read, search, write\n");
  expect(stable).toContain("ALWAYS-TEXT\n\n# Rules\n");
  expect(stable).toContain("\n- some: About some <glob>*.ts</glob> <glob>*.js</glob>\n");
  expect(stable).toContain("rule://<name>");
  expect(stable).toContain("# Skills\n");
  expect(stable).toContain("skill://<name>");
  expect(stable).toContain("\n- fly: How to fly");
  for (const absent of ["BODY", "LATE", "MUTE", "SKILL-", "late", "mute", "shy"]) {
    expect(stable + facts).not.toContain(absent);
  }
  expect(stable).not.toContain(set.place.path);
  expect(stable).not.toMatch(/\d{4}-\d\d-\d\d/);
});

test("SYS-02 CTX-07 CTX-08 the second block: machine, context files, folders with context, tree, day, folder; no skills", async () => {
  await using set = await stage(answers(1));
  await set.place.git("init", "-q");
  await set.place.write("AGENTS.md", "Use tabs.\n\nAlways.\n");
  await set.place.write("sub/dir/AGENTS.md", "NESTED-TEXT");
  await set.place.write("sub/file.ts", "");
  await set.place.write("out/built.js", "");
  await set.place.write(".gitignore", "out/\n");
  await set.place.write(".omp/skills/flying/SKILL.md", "---\ndescription: d\n---\n");
  const clock = { ...(await import("@omp/std")).systemClock, now: () => Date.UTC(2031, 4, 17, 12) };
  const [, facts] = await sentWith(set, { clock });
  const path = join(set.place.path, "AGENTS.md");
  expect(facts!.split(`<file path="${path}">\nUse tabs.\n\nAlways.\n</file>`)).toHaveLength(2);
  expect(facts).toContain(`Working directory: ${set.place.path}\n`);
  expect(facts).toContain(`Platform: ${process.platform} `);
  expect(facts).toContain("Date: 2031-05-17");
  expect(facts).toContain("sub/dir/AGENTS.md");
  expect(facts).not.toContain("NESTED-TEXT");
  expect(facts).toContain("\nsub/: dir/ file.ts");
  expect(facts).not.toContain("out/");
  expect(facts).not.toContain("flying");
});

test("SYS-03 SYS-04 SYS-08 a flag replaces the first block or adds one; both: custom, added, facts", async () => {
  await using set = await stage(answers(3));
  const facts = expect.stringContaining(set.place.path);
  expect(await sentWith(set, { systemPrompt: "CUSTOM" })).toEqual(["CUSTOM", facts]);
  const added = await sentWith(set, { appendSystemPrompt: "ADDED" });
  expect(added).toEqual([expect.stringMatching(/^You are omp/), facts, "ADDED"]);
  expect(await sentWith(set, { systemPrompt: "CUSTOM", appendSystemPrompt: "ADDED" })).toEqual([
    "CUSTOM",
    "ADDED",
    facts,
  ]);
});

const PLACES = [
  ...[".omp", ".claude", ".codex", ".gemini"],
  ...["home/.omp/agent", "home/.claude", "home/.codex", "home/.gemini"],
];

test("SYS-05 SYS-14 CFG-05 files do what the flags do: the project's first, by family, then the person's", async () => {
  await using set = await stage(answers(PLACES.length + 1));
  const at = (folder: string) =>
    join(set.place.path, folder.startsWith("home") ? `../${folder}` : folder);
  for (const folder of PLACES) {
    await set.place.write(join(at(folder), "SYSTEM.md"), `SYSTEM of ${folder}`);
    await set.place.write(join(at(folder), "APPEND_SYSTEM.md"), `APPEND of ${folder}`);
  }
  for (const folder of PLACES) {
    const blocks = await sentWith(set);
    expect(blocks.slice(0, 2)).toEqual([`SYSTEM of ${folder}`, `APPEND of ${folder}`]);
    expect(JSON.stringify(set.model.requests.at(-1)!.body).split("SYSTEM of")).toHaveLength(2);
    rmSync(join(at(folder), "SYSTEM.md"));
    rmSync(join(at(folder), "APPEND_SYSTEM.md"));
  }
  expect((await sentWith(set))[0]).toMatch(/^You are omp/);
});

test("SYS-06 folders above are not looked at for them", async () => {
  await using set = await stage(answers(1));
  await set.place.git("init", "-q");
  await set.place.write(".omp/SYSTEM.md", "ABOVE");
  mkdirSync(join(set.place.path, "sub"));
  expect((await sentWith(set, { cwd: join(set.place.path, "sub") })).join()).not.toContain("ABOVE");
});

test("SYS-07 flag before project before person, for each of the two by itself", async () => {
  await using set = await stage(answers(2));
  await user(set, ".omp/agent/APPEND_SYSTEM.md", "USER-ADDED");
  await user(set, ".omp/agent/SYSTEM.md", "USER-SYSTEM");
  expect((await sentWith(set, { systemPrompt: "X" })).slice(0, 2)).toEqual(["X", "USER-ADDED"]);
  await set.place.write(".gemini/SYSTEM.md", "PROJECT-SYSTEM");
  const blocks = await sentWith(set, { appendSystemPrompt: "Y" });
  expect(blocks.slice(0, 2)).toEqual(["PROJECT-SYSTEM", "Y"]);
});

test("SYS-10 template marks are text", async () => {
  await using set = await stage(answers(1));
  const text = "In {{cwd}} {{#if x}}on {{date}}{{/if}} $1 ${HOME}";
  await set.place.write(".omp/SYSTEM.md", `${text}\n`);
  expect((await sentWith(set))[0]).toBe(text);
});

test("SYS-12 SPM-07 who replaces the instructions replaces tools, rules and skills with them", async () => {
  await using set = await stage(answers(1));
  await set.place.write(".omp/SYSTEM.md", "MINE");
  await set.place.write(".omp/rules/r.md", "---\nalwaysApply: true\n---\nRULE-TEXT");
  await set.place.write(".omp/skills/fly/SKILL.md", "---\ndescription: How to fly\n---\n");
  const blocks = await sentWith(set);
  expect(blocks[0]).toBe("MINE");
  for (const absent of ["RULE-TEXT", "fly", "Tools:"]) expect(blocks.join()).not.toContain(absent);
});

test("SYS-13 a function has all blocks and the last word", async () => {
  await using set = await stage(answers(1));
  await set.place.write(".omp/APPEND_SYSTEM.md", "ADDED");
  let given: readonly string[] = [];
  const systemPrompt = (blocks: readonly string[]) => {
    given = blocks;
    return ["only this"];
  };
  expect(await sentWith(set, { systemPrompt })).toEqual(["only this"]);
  expect(given).toEqual([
    expect.stringMatching(/^You are omp/),
    expect.stringContaining("Working directory"),
    "ADDED",
  ]);
});

test("SYS-15 SYS-16 nothing is said twice", async () => {
  await using set = await stage(answers(3));
  await set.place.write(".omp/rules/r.md", "---\nalwaysApply: true\n---\nNo tabs, ever.");
  await set.place.write(".omp/APPEND_SYSTEM.md", "Mine.\nNo tabs, ever.\nThanks.");
  const count = (blocks: readonly string[]) => blocks.join("\n").split("No tabs, ever.").length - 1;
  expect(count(await sentWith(set))).toBe(1);
  expect(count(await sentWith(set, { systemPrompt: "Mine.\nNo tabs, ever.\nThanks." }))).toBe(1);
  rmSync(join(set.place.path, ".omp/APPEND_SYSTEM.md"));
  await set.place.write(".omp/SYSTEM.md", "No tabs, ever.");
  const appendSystemPrompt = "First. No tabs, ever. Last.";
  const blocks = await sentWith(set, { appendSystemPrompt });
  expect(blocks).toEqual([appendSystemPrompt, expect.stringContaining("Working directory")]);
});

test("SYS-17 ENV-109 NULL_PROMPT=true: no system prompt", async () => {
  await using set = await stage(answers(1));
  expect(await sentWith(set, { env: { NULL_PROMPT: "true" }, systemPrompt: "X" })).toEqual([]);
  expect(set.model.requests[0]!.body).not.toHaveProperty("system");
});

test("SYS-26 a blank file counts as absent", async () => {
  await using set = await stage(answers(2));
  await set.place.write(".omp/SYSTEM.md", " \n");
  await set.place.write(".omp/APPEND_SYSTEM.md", "");
  await user(set, ".omp/agent/SYSTEM.md", "FILLED");
  expect(await sentWith(set)).toEqual(["FILLED", expect.stringContaining("Working directory")]);
  rmSync(join(set.place.home, ".omp/agent/SYSTEM.md"));
  expect((await sentWith(set))[0]).toMatch(/^You are omp/);
});

test("SYS-25 CTX-13 the prompt stays byte for byte, whatever happens to files and days, until a session begins", async () => {
  await using set = await stage(answers(5));
  await set.place.git("init", "-q");
  await set.place.write("AGENTS.md", "old words");
  let now = Date.UTC(2031, 4, 17, 12);
  const clock = { ...(await import("@omp/std")).systemClock, now: () => now };
  await using omp = await set.boot({ clock });
  await omp.prompt("one");
  const before = blocksOf(set);
  await set.place.write("AGENTS.md", "new words");
  await set.place.write("another/file.ts", "");
  now += 3 * 24 * 3600 * 1000;
  await omp.prompt("two");
  expect(blocksOf(set)).toEqual(before);
  await omp.engine.dispatch({ type: "new_session" });
  await omp.prompt("three");
  expect(blocksOf(set)[0]).toBe(before[0]!);
  expect(blocksOf(set)[1]).toContain("new words");
  expect(blocksOf(set)[1]).toContain("2031-05-20");
  mkdirSync(join(set.place.path, "moved"));
  await set.place.write("moved/AGENTS.md", "moved words");
  await omp.engine.dispatch({ type: "move_session", cwd: "moved" });
  await omp.prompt("four");
  expect(blocksOf(set)[1]).toContain("moved words");
});

test("SYS-25 the order in which tools are offered changes nothing", async () => {
  await using set = await stage(answers(2));
  const forward = await sentWith(set, { tools: ["bash", "read"] });
  const backward = await sentWith(set, { tools: ["read", "bash"] });
  expect(backward).toEqual(forward);
});

test("CTX-11 RULES.md applies always, under its own name", async () => {
  await using set = await stage(answers(2));
  await user(set, ".omp/agent/RULES.md", "STICKY-USER");
  await using omp = await set.boot();
  await omp.prompt("one");
  await omp.prompt("two");
  for (const request of [0, 1]) expect(blocksOf(set, request)[0]).toContain("STICKY-USER");
});

test("CTX-17 without rules the context files are still there; without skills none is named", async () => {
  await using set = await stage(answers(2));
  await set.place.write("AGENTS.md", "CONTEXT-TEXT");
  await set.place.write(".omp/RULES.md", "RULE-TEXT");
  await set.place.write(".omp/skills/fly/SKILL.md", "---\ndescription: How to fly\n---\n");
  const bare = (
    await sentWith(set, {
      settings: { "rules.enabled": false, "skills.enabled": false },
    })
  ).join();
  expect(bare).toContain("CONTEXT-TEXT");
  expect(bare).not.toContain("RULE-TEXT");
  expect(bare).not.toContain("fly");
  expect((await sentWith(set)).join()).toContain("RULE-TEXT");
});

test("SKILL-05 what cannot be read is not announced", async () => {
  await using set = await stage(answers(1));
  await set.place.write(".omp/skills/fly/SKILL.md", "---\ndescription: How to fly\n---\n");
  expect((await sentWith(set, { tools: ["bash"] })).join()).not.toContain("fly");
});

test("SPM-05 SET-366 SET-371 SET-372 skills of a place can be switched off", async () => {
  await using set = await stage(answers(3));
  await set.place.write(".omp/skills/ours/SKILL.md", "---\ndescription: d\n---\n");
  await user(set, ".omp/agent/skills/mine/SKILL.md", "---\ndescription: d\n---\n");
  const named = async (config: string) => {
    const [stable] = await sentWith(set, { config });
    return ["ours", "mine"].filter((name) => stable!.includes(`- ${name}: d`));
  };
  expect(await named("skills: { enablePiUser: false }")).toEqual(["ours"]);
  expect(await named("skills: { enablePiProject: false }")).toEqual(["mine"]);
  expect(await named("skills: { enabled: false }")).toEqual([]);
});

test("the tree stays in the project: links are named and not followed, and it is short", async () => {
  await using set = await stage(answers(1));
  await set.place.git("init", "-q");
  await user(set, "private/secret-name.txt", "");
  symlinkSync(join(set.place.home, "private"), join(set.place.path, "link"));
  for (let index = 0; index < 60; index++) {
    await set.place.write(`many/f${String(index).padStart(2, "0")}.ts`, "");
    await set.place.write(`top${String(index).padStart(2, "0")}.ts`, "");
  }
  const [, facts = ""] = await sentWith(set);
  expect(facts).toContain("\nlink\n");
  expect(facts).not.toContain("secret-name");
  expect(facts).toMatch(/\nmany\/: f00\.ts .* f09\.ts \+50\n/);
  expect(facts).toContain("\n+22");
});

test("SET-344 the tree can be left out", async () => {
  await using set = await stage(answers(2));
  await set.place.git("init", "-q");
  await set.place.write("seen.ts", "");
  expect((await sentWith(set))[1]).toContain("seen.ts");
  expect((await sentWith(set, { config: "includeWorkspaceTree: false" }))[1]).not.toContain(
    "seen.ts",
  );
});

test("RULE-28 what cannot be used is told once, with its place", async () => {
  await using set = await stage(answers(2));
  const path = await set.place.write(".omp/rules/bent.md", "---\nalwaysApply: [\n---\nx");
  await using omp = await set.boot();
  await omp.prompt("one");
  await omp.prompt("two");
  expect(set.notices).toHaveLength(1);
  expect(set.notices[0]!.text).toStartWith(`${path}: `);
});

test("the prompt and the schemas of all tools stay small", async () => {
  await using set = await stage(answers(1));
  const blocks = await sentWith(set);
  const { tools } = set.model.requests[0]!.body as { tools: unknown };
  const letters = blocks.join("\n\n").length + JSON.stringify(tools).length;
  expect(letters / 4).toBeLessThan(2500);
});

const isTitle = ({ body }: RecordedRequest) => JSON.stringify(body).includes('"set_title"');

/** The title request that a first prompt causes, and the chat request beside it. */
async function titleRequest(set: Stage) {
  await using omp = await set.boot({ givesTitles: true });
  const before = set.model.requests.length;
  await omp.prompt("please fix the login");
  while (set.model.requests.length < before + 2) await Bun.sleep(2);
  const requests = set.model.requests
    .slice(before)
    .map(({ body }, at) => ({ body, at: at + before }));
  const title = requests.find(({ at }) => isTitle(set.model.requests[at]!))!;
  const chat = requests.find(({ at }) => !isTitle(set.model.requests[at]!))!;
  return {
    body: title.body,
    title: blocksOf(set, title.at).join(),
    chat: blocksOf(set, chat.at).join(),
  };
}

const both = (count: number) =>
  Array.from(
    { length: count },
    () => (request: RecordedRequest) =>
      isTitle(request) ? turn(callTool("set_title", { title: "none" })) : turn(say("ok")),
  );

test("SYS-19 what changes the chat does not change the naming of sessions", async () => {
  await using set = await stage(both(2));
  await set.place.write(".omp/SYSTEM.md", "MARKER-SYSTEM");
  await set.place.write(".omp/APPEND_SYSTEM.md", "MARKER-APPEND");
  const { title, chat } = await titleRequest(set);
  expect(chat).toContain("MARKER-SYSTEM");
  expect(title).toBe(builtIn.trim());
});

test("SYS-20 SYS-22 SYS-26 TITLE_SYSTEM.md of every family, the project's first; the tool is still forced", async () => {
  await using set = await stage(both(2 * PLACES.length + 2));
  const at = (folder: string) =>
    join(set.place.path, folder.startsWith("home") ? `../${folder}` : folder, "TITLE_SYSTEM.md");
  for (const folder of PLACES) await set.place.write(at(folder), `TITLE of ${folder}`);
  for (const folder of PLACES) {
    const { body, title, chat } = await titleRequest(set);
    expect(title).toBe(`TITLE of ${folder}`);
    expect(chat).not.toContain("TITLE of");
    expect(body).toMatchObject({ tool_choice: { type: "tool", name: "set_title" } });
    // Half of them become blank, the others go.
    if (folder.endsWith("e")) await set.place.write(at(folder), " \n");
    else rmSync(at(folder));
  }
  expect((await titleRequest(set)).title).not.toContain("TITLE of");
});

test("SYS-24 a title prompt may have the model say that there is nothing to name", async () => {
  await using set = await stage(both(4));
  await set.place.write(".omp/TITLE_SYSTEM.md", "Say none where there is no task.");
  await using omp = await set.boot({ givesTitles: true });
  await omp.prompt("hello");
  while (set.model.requests.length < 2) await Bun.sleep(2);
  await omp.prompt("hello again");
  expect(omp.events.some(({ type }) => type === "session_title")).toBe(false);
  expect(omp.engine.snapshot().session.header).not.toHaveProperty("title");
});

test("CTX-12 SET-365 settings switch off sources and single files, and what they hid appears", async () => {
  await using set = await stage(answers(3));
  await set.place.write(".claude/CLAUDE.md", "CLAUDE-TEXT");
  await set.place.write("AGENTS.md", "PLAIN-TEXT");
  const said = async (config: string) => {
    const facts = (await sentWith(set, { config }))[1]!;
    return ["CLAUDE-TEXT", "PLAIN-TEXT"].filter((text) => facts.includes(text));
  };
  expect(await said("")).toEqual(["CLAUDE-TEXT"]);
  expect(await said("disabledProviders: [claude]")).toEqual(["PLAIN-TEXT"]);
  expect(await said("disabledExtensions: ['context-file:project:CLAUDE.md']")).toEqual([
    "PLAIN-TEXT",
  ]);
});
