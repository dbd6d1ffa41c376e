/** Wrong input to the built binary: a clear sentence, the right exit code, no stack trace. */

import { callTool, runOmp, say, scriptedModel, sessionFiles, turn, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { run, texts } from "./stage.ts";

const binary = process.env["OMP_BINARY"] ?? join(import.meta.dir, "../../dist/omp");

test("no key: exit 1 and the variable that would give one", async () => {
  await using place = await workspace();
  const at = { cwd: place.path, home: place.home };
  const named = await runOmp(["-p", "--model", "anthropic/claude-sonnet-4-5", "hi"], at);
  expect(named.exitCode).toBe(1);
  expect(named.stderr).toContain("ANTHROPIC_API_KEY");
  const none = await runOmp(["-p", "hi"], at);
  expect(none.exitCode).toBe(1);
  expect(none.stderr).toContain("ANTHROPIC_API_KEY");
  expect(none.stderr).toContain("OPENAI_API_KEY");
  expect(none.stdout).toBe("");
  expect(await sessionFiles(place.home)).toEqual([]);
});

test("a model nobody knows: exit 1 and a suggestion", async () => {
  await using place = await workspace();
  const { stderr, exitCode } = await runOmp(["-p", "--model", "claude-sonet-4-5", "hi"], {
    cwd: place.path,
    home: place.home,
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Did you mean claude-sonnet-4-5?");
});

test.each([
  [["--mode", "xml"], "--mode must be one of text, json"],
  [["--approval-mode", "never"], "--approval-mode must be one of"],
  [["--model"], "--model needs a value"],
  [["--print=yes"], "--print takes no value"],
  [["-z"], "unknown flag: -z"],
  [["-p", "--tools", "read,telepathy", "hi"], "unknown tool: telepathy"],
])("%p is a wrong command line: exit 2", async (args, message) => {
  await using place = await workspace();
  const { stderr, exitCode } = await runOmp(args, {
    cwd: place.path,
    home: place.home,
    env: { ANTHROPIC_API_KEY: "test-key-00000001" },
  });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("    at ");
  expect(exitCode).toBe(2);
});

test("a current folder that was deleted, and one that never was", async () => {
  await using place = await workspace();
  mkdirSync(join(place.path, "gone"));
  const gone = Bun.spawnSync(["sh", "-c", `cd gone && rmdir ../gone && "$0" -p hi`, binary], {
    cwd: place.path,
    env: { HOME: place.home, PATH: process.env["PATH"] },
  });
  expect(gone.exitCode).toBe(1);
  expect(gone.stderr.toString()).toMatch(/directory was deleted/);
  const never = await runOmp(["--cwd", "never", "-p", "hi"], { cwd: place.path, home: place.home });
  expect(never).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`No such folder: ${join(place.path, "never")}`),
  });
});

test("stdin with stray bytes is used with a warning; binary stdin is refused", async () => {
  await using model = await scriptedModel([turn(say("ok"))]);
  await using place = await workspace();
  const latin1 = await run(place, model, ["-p"], {
    stdin: new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
  });
  expect(latin1).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("not UTF-8 in 1 place"),
  });
  expect(texts(model, 0)).toEqual(["caf\uFFFD"]);
  const binaryInput = await run(place, model, ["-p"], { stdin: new Uint8Array([1, 0, 2]) });
  expect(binaryInput).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("NUL at byte 1"),
  });
  expect(model.requests).toHaveLength(1);
});

test("CLI-28 a reader that goes away ends the run quietly", async () => {
  await using model = await scriptedModel([
    turn(callTool("read", { path: "." })),
    turn(say("x".repeat(200_000))),
    turn(say("y")),
  ]);
  await using place = await workspace();
  const shell = Bun.spawn(
    ["bash", "-c", `("$0" --mode json hi; echo "code $?" >&2) | head -1`, binary],
    {
      cwd: place.path,
      env: { HOME: place.home, PATH: process.env["PATH"], ...model.environment() },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [stdout, stderr] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ type: "session" });
  expect(stderr).toBe("code 0\n");
});

test("a broken config.yml is named with its place, and defaults are used", async () => {
  await using model = await scriptedModel([turn(say("ok")), turn(say("ok"))]);
  await using place = await workspace();
  await place.write(
    "../home/.omp/agent/config.yml",
    "retry:\n  maxRetries: many\ntools: {approvalMode: loud}\n",
  );
  const wrong = await run(place, model, ["-p", "hi"]);
  expect(wrong.exitCode).toBe(0);
  expect(wrong.stderr).toContain("config.yml:2: retry.maxRetries must be an integer from 0 to 100");
  expect(wrong.stderr).toContain("tools.approvalMode must be one of always-ask, write, yolo");
  await place.write("../home/.omp/agent/config.yml", "retry: [\n");
  const broken = await run(place, model, ["-p", "hi"]);
  expect(broken.exitCode).toBe(0);
  expect(broken.stderr).toContain("config.yml");
});

test("keys of model providers do not reach commands", async () => {
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "env > seen" })),
    turn(say("ok")),
  ]);
  await using place = await workspace();
  await run(place, model, ["-p", "--yolo", "x"], { env: { HARMLESS: "yes" } });
  const seen = await place.read("seen");
  expect(seen).toContain("HARMLESS=yes");
  expect(seen).not.toContain("_API_KEY");
});
