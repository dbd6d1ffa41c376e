/** What the model knows before the first word, by flags and files, and `omp context`, which tells it. */

import {
  callTool,
  runOmp,
  say,
  scriptedModel,
  turn,
  workspace,
  type ScriptedModel,
} from "@omp/testkit";
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { run } from "./stage.ts";

const answers = (count: number) => Array.from({ length: count }, () => turn(say("ok")));

function systemOf(model: ScriptedModel, request = -1): readonly string[] {
  const { system = [] } = model.requests.at(request)!.body as { system?: { text: string }[] };
  return system.map(({ text }) => text);
}

test("SYS-09 a value that names a file is its content, whatever else is text; files count like flags", async () => {
  await using model = await scriptedModel(answers(4));
  await using place = await workspace({
    files: { "own/base.md": "FROM FILE\n", "add.md": "ADDED" },
  });
  await place.write("../home/tone.md", "FROM HOME");
  await run(place, model, [
    "-p",
    "--system-prompt",
    "own/base.md",
    "--append-system-prompt",
    "add.md",
    "x",
  ]);
  expect(systemOf(model).slice(0, 2)).toEqual(["FROM FILE", "ADDED"]);
  await run(place, model, [
    "-p",
    "--system-prompt",
    "either/or.md",
    "--append-system-prompt",
    "~/tone.md",
    "x",
  ]);
  expect(systemOf(model).slice(0, 2)).toEqual(["either/or.md", "FROM HOME"]);
  await place.write(".omp/SYSTEM.md", "own/base.md");
  await run(place, model, ["-p", "x"]);
  expect(systemOf(model)[0]).toBe("own/base.md");
});

test("SYS-18 a prompt file that cannot be read is an error, and nothing is sent", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace();
  // A link to itself cannot be read by anybody, root included.
  symlinkSync("locked.md", join(place.path, "locked.md"));
  for (const flag of ["--system-prompt", "--append-system-prompt"]) {
    const { exitCode, stderr } = await run(place, model, ["-p", flag, "./locked.md", "x"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("locked.md");
    expect(stderr).not.toContain("    at ");
  }
  expect(model.requests).toEqual([]);
});

test("CTX-17 --no-rules stops rules, not context files; --no-skills stops skills", async () => {
  await using model = await scriptedModel(answers(2));
  await using place = await workspace({
    files: {
      "AGENTS.md": "CONTEXT-TEXT",
      ".omp/RULES.md": "RULE-TEXT",
      ".omp/skills/fly/SKILL.md": "---\ndescription: How to fly\n---\n",
    },
  });
  await run(place, model, ["-p", "x"]);
  expect(systemOf(model)[0]).toContain("RULE-TEXT");
  expect(systemOf(model)[0]).toContain("fly: How to fly");
  await run(place, model, ["-p", "--no-rules", "--no-skills", "x"]);
  const bare = systemOf(model).join();
  expect(bare).toContain("CONTEXT-TEXT");
  expect(bare).not.toContain("RULE-TEXT");
  expect(bare).not.toContain("fly");
});

test("a skill that is announced can be read", async () => {
  await using model = await scriptedModel([
    turn(callTool("read", { path: "skill://fly" })),
    turn(say("done")),
  ]);
  await using place = await workspace({
    files: { ".omp/skills/fly/SKILL.md": "---\ndescription: How to fly\n---\nFLAP-FLAP\n" },
  });
  await run(place, model, ["-p", "x"]);
  expect(JSON.stringify(model.requests[1]!.body)).toContain("FLAP-FLAP");
});

test("omp context lists what is found, what it costs and what hides it, as text and as JSON", async () => {
  await using place = await workspace({
    git: true,
    files: {
      "AGENTS.md": "x".repeat(400),
      "CLAUDE.md": "hidden",
      ".omp/rules/r.md": "---\nalwaysApply: true\n---\nRULE",
      ".omp/rules/bent.md": "---\na: [\n---\nx",
      ".cursor/rules/r.md": "weaker",
      ".omp/hooks/pre/h.ts": "process.exit(9)",
    },
  });
  const options = { cwd: place.path, home: place.home };
  const { stdout, stderr, exitCode } = await runOmp(["context"], options);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(".omp/rules/bent.md: the front matter is not YAML");
  expect(stdout).toMatch(/^system prompt ~\d+, tools ~\d+, together ~\d+ tokens\n/);
  expect(stdout).toContain(
    "\ncontext-file\n  AGENTS.md (AGENTS.md, project, ~100 tokens) AGENTS.md\n",
  );
  expect(stdout).toContain("  CLAUDE.md (CLAUDE.md, project, hidden by AGENTS.md) CLAUDE.md\n");
  expect(stdout).toContain("  r (Cursor, project, hidden by .omp/rules/r.md) .cursor/rules/r.md\n");
  expect(stdout).toContain("\nhook\n  h (omp, project) .omp/hooks/pre/h.ts\n");
  const { stdout: json } = await runOmp(["context", "--json"], options);
  expect(JSON.parse(json)).toMatchObject({
    tokens: { systemPrompt: expect.any(Number), tools: expect.any(Number) },
    rows: expect.arrayContaining([
      expect.objectContaining({ kind: "rule", name: "r", source: "omp", level: "project" }),
    ]),
  });
});

test("names and texts of a project do not reach the terminal raw, and a hostile one does not stop the start", async () => {
  await using model = await scriptedModel(answers(1));
  await using place = await workspace({ git: true });
  await place.write(".omp/commands/\u001b[31mred.md", "x");
  await place.write("od\nd\u0007.txt", "x");
  mkdirSync(join(place.path, "AGENTS.md"));
  rmSync(join(place.home, ".omp"), { recursive: true, force: true });
  const { stdout, exitCode } = await runOmp(["context"], { cwd: place.path, home: place.home });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("slash-command");
  const hi = await run(place, model, ["-p", "hi"]);
  expect(hi.exitCode).toBe(0);
  expect(systemOf(model).join()).not.toContain("od\nd");
});
