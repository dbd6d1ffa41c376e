/** What the built binary leaves in session files, and how it goes on from them. */

import {
  callTool,
  fail,
  readJsonl,
  say,
  scriptedModel,
  sessionFiles,
  startOmp,
  turn,
  workspace,
  type ScriptedModel,
  type Workspace,
} from "@omp/testkit";
import { expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { chat, run } from "./stage.ts";

interface Entry {
  readonly type: string;
  readonly message?: {
    readonly role: string;
    readonly stopReason?: string;
    readonly content: unknown;
  };
}

const entriesOf = (file: string) => readJsonl(file) as Promise<Entry[]>;
/** A killed orphan is collected by the system's first process, a moment later. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await Bun.sleep(10);
  }
  return false;
}

/** Without input: a pipe left open would be read to its end first. */
async function start(place: Workspace, model: ScriptedModel, args: string[]) {
  const omp = startOmp(args, { cwd: place.path, home: place.home, env: model.environment() });
  await omp.closeStdin();
  return omp;
}

test("CLI-52 -c goes on with the newest session of the folder: one file, four messages", async () => {
  await using model = await scriptedModel([turn(say("one")), turn(say("two"))]);
  await using place = await workspace();
  await run(place, model, ["-p", "first"]);
  await run(place, model, ["-c", "-p", "second"]);
  expect(chat(model, 1)).toEqual(["user: first", "assistant: one", "user: second"]);
  const [file, ...others] = await sessionFiles(place.home);
  expect(others).toEqual([]);
  expect((await entriesOf(file!)).filter(({ type }) => type === "message")).toHaveLength(4);
});

test("the session remembers its model; a tool turn is replayed whole", async () => {
  await using model = await scriptedModel([
    turn(callTool("read", { path: "a.txt" })),
    turn(say("read it")),
    turn(say("yes")),
  ]);
  await using place = await workspace({ files: { "a.txt": "hello" } });
  await run(place, model, ["-p", "--model", "openai/gpt-test", "read a.txt"]);
  await run(place, model, ["-c", "-p", "again?"]);
  const { wire, body } = model.requests[2]!;
  expect(wire).toBe("openai-responses");
  expect((body as { model: string }).model).toBe("gpt-test");
  const items = (body as { input: { role?: string; type?: string }[] }).input;
  const kinds = items.map(({ role, type }) => role ?? type);
  expect(kinds.filter((kind) => kind !== "system" && kind !== "developer")).toEqual([
    "user",
    "function_call",
    "function_call_output",
    "assistant",
    "user",
  ]);
});

test("--no-session leaves no file, --session-dir leaves it there", async () => {
  await using model = await scriptedModel([turn(say("a")), turn(say("b"))]);
  await using place = await workspace();
  await run(place, model, ["-p", "--no-session", "x"]);
  expect(await sessionFiles(place.home)).toEqual([]);
  await run(place, model, ["-p", "--session-dir", "kept", "x"]);
  expect(await sessionFiles(place.home)).toEqual([]);
  expect([...new Bun.Glob("*.jsonl").scanSync(join(place.path, "kept"))]).toHaveLength(1);
});

test("CLI-27 STRM-26 SIGTERM during a stream keeps the partial answer as aborted and leaves no child", async () => {
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "sleep 600 > /dev/null 2>&1 & echo $! > pid" })),
    turn(say("I have begun, and there is a lot more to say about this.")).with({
      textPiece: 12,
      betweenMs: 300,
    }),
  ]);
  await using place = await workspace();
  const omp = await start(place, model, ["--mode", "json", "--yolo", "hi"]);
  await omp.waitForStdout("text_delta");
  const child = Number(await place.read("pid"));
  expect(process.kill(child, 0)).toBe(true);
  omp.kill("SIGTERM");
  const { exitCode } = await omp.ended;
  expect(exitCode).toBe(143);
  const [file] = await sessionFiles(place.home);
  const last = (await entriesOf(file!)).findLast(({ type }) => type === "message")!.message!;
  expect(last).toMatchObject({ role: "assistant", stopReason: "aborted" });
  expect(JSON.stringify(last.content)).toContain("I have begun");
  expect(JSON.stringify(last.content)).not.toContain("about this");
  expect(await isGone(child)).toBe(true);
});

test("CLI-23 Ctrl-C during a command ends the command, and the session can be continued", async () => {
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "echo $$ > pid; sleep 600" })),
    turn(say("welcome back")),
  ]);
  await using place = await workspace();
  const omp = await start(place, model, ["-p", "--yolo", "wait"]);
  // The shell makes the file before it has written to it.
  while (!(await place.exists("pid")) || (await place.read("pid")) === "") await Bun.sleep(10);
  const pid = Number(await place.read("pid"));
  omp.kill("SIGINT");
  expect((await omp.ended).exitCode).toBe(130);
  expect(await isGone(pid)).toBe(true);
  const [file] = await sessionFiles(place.home);
  const last = (await entriesOf(file!)).findLast(({ type }) => type === "message")!;
  expect(last.message).toMatchObject({
    role: "toolResult",
    isError: true,
  });
  expect((await run(place, model, ["-c", "-p", "go on"])).stdout).toBe("welcome back\n");
});

test("kill -9 after a finished step: the next run goes on from it", async () => {
  await using model = await scriptedModel([
    turn(callTool("read", { path: "a.txt" })),
    turn(say("never finished")).with({ fault: { kind: "silence", atByte: 10 } }),
    turn(say("went on")),
  ]);
  await using place = await workspace({ files: { "a.txt": "hello" } });
  const omp = await start(place, model, ["-p", "read"]);
  await model.waitForRequest(2);
  omp.kill("SIGKILL");
  await omp.ended;
  const { stdout } = await run(place, model, ["-c", "-p", "go on"]);
  expect(stdout).toBe("went on\n");
  const roles = (model.requests[2]!.body as { messages: { role: string }[] }).messages;
  expect(roles.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
});

test("STRM-30 kill -9 in the middle of an answer leaves what had ended, and nothing of what had not", async () => {
  await using model = await scriptedModel([
    turn(say("I look."), callTool("read", { path: "a.txt" })),
    turn(say("It says a lot more than you would think.")).with({ textPiece: 8, betweenMs: 300 }),
  ]);
  await using place = await workspace({ files: { "a.txt": "hello" } });
  const omp = await start(place, model, ["--mode", "json", "read"]);
  await omp.waitForStdout("It says");
  omp.kill("SIGKILL");
  const { stdout } = await omp.ended;
  expect(stdout).not.toContain("you would think");
  const [file] = await sessionFiles(place.home);
  const messages = (await entriesOf(file!)).flatMap(({ message }) => message ?? []);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
  expect(messages[1]).toMatchObject({ stopReason: "toolUse" });
  expect(JSON.stringify(messages)).not.toContain("It says");
});

test("a server that is down costs the retries, then a clear word; the prompt is in the session", async () => {
  await using model = await scriptedModel([
    fail(503),
    fail(503),
    fail(503),
    turn(say("back again")),
  ]);
  await using place = await workspace();
  await place.write("../home/.omp/agent/config.yml", "retry: { maxRetries: 2, baseDelayMs: 1 }\n");
  const down = await run(place, model, ["-p", "hello?"]);
  expect(down.exitCode).toBe(1);
  expect(model.requests).toHaveLength(3);
  expect(down.stderr).toContain("Retrying (2/2)");
  const { stdout } = await run(place, model, ["-c", "-p", "still there?"]);
  expect(stdout).toBe("back again\n");
  expect(chat(model, 3).join("\n")).toContain("hello?");
});

test("a torn last line and garbage in the middle do not hide the rest of a session", async () => {
  await using model = await scriptedModel([turn(say("one")), turn(say("two"))]);
  await using place = await workspace();
  await run(place, model, ["-p", "first"]);
  const [file] = await sessionFiles(place.home);
  appendFileSync(file!, 'not json at all\n{"type":"message","id":"feed');
  const { stdout, exitCode } = await run(place, model, ["-c", "-p", "second"]);
  expect({ stdout, exitCode }).toEqual({ stdout: "two\n", exitCode: 0 });
  expect(chat(model, 1)).toEqual(["user: first", "assistant: one", "user: second"]);
});

test("an unreadable session file is a clear error, not a stack trace", async () => {
  await using model = await scriptedModel([turn(say("one"))]);
  await using place = await workspace();
  await run(place, model, ["-p", "--session-dir", "kept", "first"]);
  const [name] = new Bun.Glob("*.jsonl").scanSync(join(place.path, "kept"));
  const file = join(place.path, "kept", name!);
  // A link that leads back to itself cannot be opened, not even by root.
  rmSync(file);
  symlinkSync(file, file);
  const { stderr, exitCode } = await run(place, model, [
    "-c",
    "-p",
    "--session-dir",
    "kept",
    "second",
  ]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("kept");
  expect(stderr).not.toContain("    at ");
  expect(model.requests).toHaveLength(1);
});

test("CLI-53 the log goes to its file, and stderr has nothing but omp's own words", async () => {
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "exit 3" })),
    turn(say("sorry")),
  ]);
  await using place = await workspace();
  const { stdout, stderr } = await run(place, model, ["-p", "--yolo", "x"], {
    env: { PI_DEBUG: "1" },
  });
  expect({ stdout, stderr }).toEqual({ stdout: "sorry\n", stderr: "Working...\n" });
  const [name, ...others] = readdirSync(join(place.home, ".omp/logs"));
  expect(others).toEqual([]);
  expect(name).toMatch(/^omp\.\d{4}-\d\d-\d\d\.\d+\.log$/);
  const lines = await readJsonl(join(place.home, ".omp/logs", name!));
  expect(lines).toContainEqual(expect.objectContaining({ event: "process-started" }));
});

test("session files are 0600 and their folders 0700, whatever the umask", async () => {
  await using model = await scriptedModel([turn(say("one"))]);
  await using place = await workspace();
  const before = process.umask(0);
  try {
    await run(place, model, ["-p", "first"]);
  } finally {
    process.umask(before);
  }
  const [file] = await sessionFiles(place.home);
  expect(statSync(file!).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file!)).mode & 0o777).toBe(0o700);
});

test("a folder where sessions cannot be written is told, and the exit code is not 0", async () => {
  await using model = await scriptedModel([turn(say("one"))]);
  await using place = await workspace();
  writeFileSync(join(place.home, ".omp"), "a file where a folder should be");
  chmodSync(join(place.home, ".omp"), 0o400);
  const { stderr, exitCode } = await run(place, model, ["-p", "first"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(".omp");
  expect(stderr).not.toContain("    at ");
});
