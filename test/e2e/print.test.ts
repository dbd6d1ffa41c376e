/** Print mode of the built binary: what reaches standard output, standard error, the model and the exit code. */

import { callTool, fail, runOmp, say, scriptedModel, think, turn, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { chat, run, texts } from "./stage.ts";

test("CLI-21 print: only the answer is on stdout, progress is on stderr", async () => {
  await using model = await scriptedModel([turn(think("hm"), say("Hello."))]);
  await using place = await workspace();
  const { stdout, stderr, exitCode } = await run(place, model, ["-p", "hi"]);
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: "Hello.\n",
    stderr: "Working...\n",
    exitCode: 0,
  });
});

test("CLI-22 thinking is printed only with --print-thoughts", async () => {
  const turns = [turn(think("deep thought"), say("42"))];
  await using model = await scriptedModel([...turns, ...turns]);
  await using place = await workspace();
  expect((await run(place, model, ["-p", "hi"])).stdout).toBe("42\n");
  expect((await run(place, model, ["-p", "--print-thoughts", "hi"])).stdout).toBe(
    "deep thought\n42\n",
  );
});

test("CLI-01 a known first word is a command, any other words are prompts", async () => {
  await using model = await scriptedModel([turn(say("ok"))]);
  await using place = await workspace();
  const demo = await runOmp(["demo", "--help"], { cwd: place.path, home: place.home });
  expect(demo.stdout).toContain("Usage: omp demo");
  await run(place, model, ["-p", "demo please"]);
  expect(texts(model, 0)).toEqual(["demo please"]);
});

test("CLI-02 everything after -- is prompt text", async () => {
  await using model = await scriptedModel([turn(say("ok"))]);
  await using place = await workspace();
  const { exitCode } = await run(place, model, ["-p", "--", "--help"]);
  expect(exitCode).toBe(0);
  expect(texts(model, 0)).toEqual(["--help"]);
});

test("flags take their value after = or as the next word", async () => {
  await using model = await scriptedModel([turn(say("a")), turn(say("b"))]);
  await using place = await workspace();
  await run(place, model, ["-p", "--model=anthropic/claude-one", "hi"]);
  await run(place, model, ["-p", "--model", "anthropic/claude-two", "hi"]);
  expect(model.requests.map(({ body }) => (body as { model: string }).model)).toEqual([
    "claude-one",
    "claude-two",
  ]);
});

test("an unknown flag exits 2 and names the nearest one", async () => {
  await using place = await workspace();
  const { stderr, stdout, exitCode } = await runOmp(["--modle", "x"], {
    cwd: place.path,
    home: place.home,
  });
  expect({ stderr, stdout, exitCode }).toEqual({
    stderr: "Error: unknown flag: --modle\nDid you mean --model?\n",
    stdout: "",
    exitCode: 2,
  });
});

test("CLI-04 version and help answer without loading the agent", async () => {
  await using place = await workspace();
  const at = { cwd: place.path, home: place.home };
  for (const flag of ["--version", "-v"]) {
    expect(await runOmp([flag], at)).toMatchObject({
      stdout: expect.stringMatching(/^omp\/\d+\.\d+\.\d+\n$/),
      exitCode: 0,
    });
  }
  for (const flag of ["--help", "-h"]) {
    const { stdout, exitCode } = await runOmp([flag], at);
    expect(stdout).toContain("Usage: omp [flags]");
    expect(exitCode).toBe(0);
  }
  expect((await runOmp(["demo", "-h"], at)).stdout).toContain("Usage: omp demo");
  // Neither a session nor a log was made.
  expect(readdirSync(place.home)).toEqual([]);
});

test("CLI-05 @path puts text files before the message and images beside it", async () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await using model = await scriptedModel([turn(say("seen"))]);
  await using place = await workspace({ files: { "notes.md": "# Notes", "dot.png": png } });
  await run(place, model, ["-p", "@notes.md", "@dot.png", "look"]);
  const file = join(place.path, "notes.md");
  const picture = join(place.path, "dot.png");
  expect(texts(model, 0)).toEqual([
    `<file name="${file}">\n# Notes\n</file>\n<file name="${picture}"></file>\nlook`,
  ]);
  expect(JSON.stringify(model.requests[0]!.body)).toContain(png.toString("base64"));

  const missing = await run(place, model, ["-p", "@gone.md", "look"]);
  expect(missing).toMatchObject({
    stderr: expect.stringContaining(`Error: File not found: ${join(place.path, "gone.md")}\n`),
    exitCode: 1,
  });
});

test("CLI-07 CLI-09 standard input is the prompt, alone or before the message", async () => {
  await using model = await scriptedModel([turn(say("one")), turn(say("two"))]);
  await using place = await workspace();
  const alone = await run(place, model, [], { stdin: "from a pipe" });
  expect(alone).toMatchObject({ stdout: "one\n", exitCode: 0 });
  await run(place, model, ["-p", "and a word"], { stdin: "from a pipe" });
  expect(texts(model, 0)).toEqual(["from a pipe"]);
  expect(texts(model, 1)).toEqual(["from a pipe\n\nand a word"]);
  const empty = await run(place, model, ["-p"], { stdin: "" });
  expect(empty).toMatchObject({ stdout: "", exitCode: 0 });
  expect(model.requests).toHaveLength(2);
});

test("CLI-08 several words are several prompts of one session", async () => {
  await using model = await scriptedModel([turn(say("first")), turn(say("second"))]);
  await using place = await workspace();
  const { stdout } = await run(place, model, ["-p", "one", "two"]);
  expect(stdout).toBe("first\nsecond\n");
  expect(chat(model, 1)).toEqual(["user: one", "assistant: first", "user: two"]);
});

test("CLI-23 exit code 0 for an answer, 1 for a failed one, with the reason on stderr", async () => {
  await using model = await scriptedModel([
    turn(say("fine")),
    fail(400, { message: "no such thing" }),
  ]);
  await using place = await workspace();
  expect((await run(place, model, ["-p", "hi"])).exitCode).toBe(0);
  const refused = await run(place, model, ["-p", "hi"]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("no such thing");
  expect(refused.stdout).toBe("");
  expect(model.requests).toHaveLength(2);

  await place.write("../home/.omp/agent/config.yml", "retry:\n  maxRetries: 1\n  baseDelayMs: 1\n");
  const dead = await runOmp(["-p", "hi"], {
    cwd: place.path,
    home: place.home,
    env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_API_KEY: "test-key-00000001" },
  });
  expect(dead.exitCode).toBe(1);
  expect(dead.stderr).toContain("127.0.0.1:9");
});

test("CLI-29 a tool call that needs a person is refused in print mode, and nothing hangs", async () => {
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "touch ran" })),
    turn(say("I could not.")),
  ]);
  await using place = await workspace();
  const { stdout, exitCode } = await run(place, model, [
    "-p",
    "--approval-mode",
    "always-ask",
    "hi",
  ]);
  expect({ stdout, exitCode }).toEqual({ stdout: "I could not.\n", exitCode: 0 });
  expect(await place.exists("ran")).toBe(false);
  expect(JSON.stringify(model.requests[1]!.body)).toContain("--yolo");
});

test("in a folder nobody trusts files may be written but no command runs without --yolo", async () => {
  await using model = await scriptedModel([
    turn(
      callTool("write", { path: "made.txt", content: "made" }),
      callTool("bash", { command: "touch ran" }),
    ),
    turn(say("done")),
    turn(callTool("bash", { command: "touch ran" })),
    turn(say("done")),
  ]);
  await using place = await workspace();
  await run(place, model, ["-p", "go"]);
  expect(await place.read("made.txt")).toBe("made");
  expect(await place.exists("ran")).toBe(false);
  await run(place, model, ["-p", "--yolo", "go"]);
  expect(await place.exists("ran")).toBe(true);
});

test("CLI-12 --system-prompt and --append-system-prompt take text or a file", async () => {
  await using model = await scriptedModel([turn(say("a")), turn(say("b"))]);
  await using place = await workspace({ files: { "mine.md": "You are a file." } });
  await run(place, model, [
    "-p",
    "--system-prompt",
    "mine.md",
    "--append-system-prompt",
    "Be kind.",
    "x",
  ]);
  await run(place, model, ["-p", "--system-prompt", "You are text.", "x"]);
  const [first, second] = model.requests.map(({ body }) =>
    JSON.stringify((body as { system: unknown }).system),
  );
  expect(first).toContain("You are a file.");
  expect(first).toContain("Be kind.");
  expect(second).toContain("You are text.");
  expect(second).not.toContain("You are omp");
});
