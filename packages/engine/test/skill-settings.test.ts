/** Which skills there are: their sources, folders of one's own, patterns, and `/skill:<name>`. */

import { say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { sent, stage, type Stage, type StageOptions } from "./stage.ts";

const answers = (count: number) => Array.from({ length: count }, () => turn(say("ok")));
const SKILL = "---\ndescription: d\n---\n";

/** The names that the model is told. */
async function announced(set: Stage, config: string, options: StageOptions = {}) {
  await using omp = await set.boot({ config, ...options });
  await omp.prompt("hi");
  const { system } = set.model.requests.at(-1)!.body as { system: readonly { text: string }[] };
  return [...system[0]!.text.matchAll(/^- ([\w-]+): d$/gm)].map(([, name]) => name!).toSorted();
}

const inHome = ({ place }: Stage, path: string, text = SKILL) =>
  place.write(join(place.home, path), text);

const SOURCES = [
  ["enableCodexUser", "codex-user"],
  ["enableClaudeUser", "claude-user"],
  ["enableClaudeProject", "claude-project"],
] as const;
test.each(SOURCES)("SET-368 SET-369 SET-370 %s switches its source alone", async (key, name) => {
  await using set = await stage(answers(2));
  await inHome(set, ".codex/skills/codex-user/SKILL.md");
  await inHome(set, ".claude/skills/claude-user/SKILL.md");
  await set.place.write(".claude/skills/claude-project/SKILL.md", SKILL);
  const all = ["claude-project", "claude-user", "codex-user"];
  expect(await announced(set, "")).toEqual(all);
  const others = all.filter((one) => one !== name);
  expect(await announced(set, `skills: { ${key}: false }\n`)).toEqual(others);
});

test("SET-375 customDirectories: absolute, from the home, from the working directory", async () => {
  await using set = await stage(answers(2));
  const absolute = join(set.place.home, "elsewhere");
  await inHome(set, "elsewhere/far/SKILL.md");
  await inHome(set, "mine/near/SKILL.md");
  await set.place.write("team/ours/SKILL.md", SKILL);
  await set.place.write("team/mute/SKILL.md", "no description");
  await set.place.write("team/deep/down/SKILL.md", SKILL);
  expect(await announced(set, "")).toEqual([]);
  const folders = [absolute, "~/mine", "team", "~/nowhere", "nowhere"];
  const config = `skills: { customDirectories: ${JSON.stringify(folders)} }\n`;
  expect(await announced(set, config)).toEqual(["far", "near", "ours"]);
  const places = set.notices.map(({ text }) => text.split(": not used")[0]);
  expect(places).toEqual(
    [join(set.place.path, "team/mute/SKILL.md"), join(set.place.home, "nowhere")].toSorted(),
  );
});

test("SET-375 a folder that somebody named is stronger than any source", async () => {
  await using set = await stage(answers(1));
  await set.place.write(".omp/skills/fly/SKILL.md", `${SKILL}NATIVE-TEXT`);
  await inHome(set, "mine/fly/SKILL.md", `${SKILL}CUSTOM-TEXT`);
  expect(await expansion(set, "/skill:fly", "skills: { customDirectories: [~/mine] }\n")).toContain(
    "CUSTOM-TEXT",
  );
});

test("SET-375 a folder that a project names holds what is in the project only", async () => {
  await using set = await stage(answers(1));
  await inHome(set, "private/SKILL.md");
  await set.place.write("team/ours/SKILL.md", SKILL);
  symlinkSync(join(set.place.home, "private"), join(set.place.path, "team/theirs"));
  await set.place.write(".omp/config.yml", "skills: { customDirectories: [team] }\n");
  const trust = { isFolderTrusted: async () => true, allowed: async <Item>(items: Item) => items };
  expect(await announced(set, "", { trust })).toEqual(["ours"]);
  expect(set.notices.map(({ text }) => text).join()).toContain("leads out of the project");
});

const PATTERNS = [
  ["ignoredSkills: ['test-*', fly]", ["walk"]],
  ["includeSkills: ['test-*']", ["test-a", "test-b"]],
  ["includeSkills: ['test-*'], ignoredSkills: ['*-b']", ["test-a"]],
  ["includeSkills: [fly], customDirectories: [team]", ["fly"]],
  ["ignoredSkills: [], includeSkills: []", ["fly", "test-a", "test-b", "walk"]],
] as const;
test.each(PATTERNS)("SET-376 SET-377 SPM-06 { %s } leaves %j", async (config, names) => {
  await using set = await stage(answers(1));
  for (const name of ["fly", "walk", "test-a", "test-b"]) {
    await set.place.write(`.omp/skills/${name}/SKILL.md`, SKILL);
  }
  await set.place.write("team/ours/SKILL.md", SKILL);
  expect(await announced(set, `skills: { ${config} }\n`)).toEqual([...names]);
});

test("SET-376 what is switched off by name is not taken in again", async () => {
  await using set = await stage(answers(1));
  await set.place.write(".omp/skills/fly/SKILL.md", SKILL);
  const config = "disabledExtensions: ['skill:fly']\nskills: { includeSkills: [fly] }\n";
  expect(await announced(set, config)).toEqual([]);
});

/** What a prompt becomes. */
async function expansion(set: Stage, text: string, config = ""): Promise<string> {
  await using omp = await set.boot({ config });
  await omp.prompt(text);
  return sent(set.model, set.model.requests.length - 1);
}

test("SET-367 SPM-08 /skill:<name> puts the skill and what follows into the prompt, where it is offered", async () => {
  await using set = await stage(answers(2));
  const path = await set.place.write(
    ".omp/skills/fly/SKILL.md",
    "---\ndescription: How to fly\nhide: true\n---\n\n/SKILL-TEXT\n",
  );
  const offered = async (config: string) => {
    await using omp = await set.boot({ config });
    const list = await omp.engine.dispatch({ type: "list_slash_commands" });
    return list.filter(({ name }) => name.startsWith("skill:"));
  };
  expect(await offered("")).toMatchObject([{ name: "skill:fly", description: "How to fly" }]);
  const expanded = await expansion(set, "/skill:fly to the moon");
  expect(expanded).toContain("/SKILL-TEXT");
  expect(expanded).toContain("to the moon");
  expect(expanded).toContain(join(path, ".."));
  expect(expanded).not.toContain("hide: true");
  const off = "skills: { enableSkillCommands: false }\n";
  expect(await offered(off)).toEqual([]);
  expect(await expansion(set, "/skill:fly now", off)).toContain('"/skill:fly now"');
});
