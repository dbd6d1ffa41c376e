/** RPC mode of the built binary: clients that go away, that stop reading, that end it; nothing is left behind. */

import {
  callTool,
  cleanEnvironment,
  readJsonl,
  say,
  scriptedModel,
  sessionFiles,
  turn,
  workspace,
  type ScriptedModel,
  type Workspace,
} from "@omp/testkit";
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startRpc, type Frame } from "./stage.ts";

const binary = process.env["OMP_BINARY"] ?? join(import.meta.dir, "../../../dist/omp");

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

async function pidIn(place: Workspace): Promise<number> {
  while (!place.exists("pid") || (await place.read("pid")) === "") await Bun.sleep(10);
  return Number(await place.read("pid"));
}

/** omp with pipes that a test reads, or does not. */
function open(place: Workspace, model: ScriptedModel) {
  const child = spawn(binary, ["--mode", "rpc", "--yolo"], {
    cwd: place.path,
    env: cleanEnvironment(place.home, model.environment()),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  return { child, exited };
}

const sleeper = turn(callTool("bash", { command: "echo $$ > pid; sleep 600" }));

async function lastResult(place: Workspace): Promise<Frame> {
  const [file] = await sessionFiles(place.home);
  const entries = (await readJsonl(file!)) as Frame[];
  return entries.findLast(({ type }) => type === "message")!["message"];
}

test("RPC-05 the end of the input ends a command of the shell too: recorded, exit 0, no child left", async () => {
  await using model = await scriptedModel([sleeper]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment(), { args: ["--yolo"] });
  await rpc.ask({ type: "prompt", message: "wait" });
  const child = await pidIn(place);
  const { exitCode, stderr, outputHeldOpen } = await rpc.end();
  expect({ exitCode, stderr, outputHeldOpen }).toEqual({
    exitCode: 0,
    stderr: "",
    outputHeldOpen: false,
  });
  expect(await isGone(child)).toBe(true);
  expect(await lastResult(place)).toMatchObject({ role: "toolResult", isError: true });
  expect(rpc.frames().at(-1)).toMatchObject({ type: "agent_end" });
});

test("commands that were sent before the end of the input are answered, also the aborted ones", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  await rpc.send({ id: "a", type: "bash", command: "sleep 600" });
  await rpc.send({ id: "b", type: "get_state" });
  const { exitCode } = await rpc.end();
  expect(exitCode).toBe(0);
  const answers = rpc.frames().filter(({ type }) => type === "response");
  expect(answers).toContainEqual(expect.objectContaining({ id: "b", success: true }));
  expect(answers).toContainEqual(
    expect.objectContaining({ id: "a", data: expect.objectContaining({ cancelled: true }) }),
  );
});

test("a client that is gone ends the run: recorded, exit 0, no child left", async () => {
  await using model = await scriptedModel([sleeper]);
  await using place = await workspace();
  const { child, exited } = open(place, model);
  child.stdin.write('{"type":"prompt","message":"wait"}\n');
  const pid = await pidIn(place);
  child.stdout.destroy();
  // Its input stays open: only an answer that nobody takes tells that the client is gone.
  const asking = setInterval(() => child.stdin.write('{"type":"get_state"}\n'), 20);
  child.stdin.on("error", () => {});
  expect(await exited).toBe(0);
  clearInterval(asking);
  expect(await isGone(pid)).toBe(true);
  expect(await lastResult(place)).toMatchObject({ role: "toolResult", isError: true });
});

test("SIGTERM ends the run, which is recorded, and says so in the exit code", async () => {
  await using model = await scriptedModel([sleeper]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment(), { args: ["--yolo"] });
  await rpc.ask({ type: "prompt", message: "wait" });
  const pid = await pidIn(place);
  rpc.kill("SIGTERM");
  const { exitCode } = await rpc.end();
  expect(exitCode).toBe(143);
  expect(await isGone(pid)).toBe(true);
  expect(await lastResult(place)).toMatchObject({ role: "toolResult", isError: true });
});

test("SESS-53 a session that cannot be written is told as an error, and the run has an end", async () => {
  await using model = await scriptedModel([turn(say("x".repeat(64 * 1024)))]);
  await using place = await workspace();
  // No file may be longer than 8 KB: the disk is full when the answer comes.
  const limited = ["-c", 'trap "" XFSZ; ulimit -f 8; exec "$0" "$@"', binary];
  await using rpc = await startRpc(place, model.environment(), { binary: "bash", before: limited });
  await rpc.ask({ type: "prompt", message: "hi" });
  await rpc.untilType("agent_end");
  const { error } = rpc.frames().find(({ success }) => success === false)!;
  expect(error).toMatch(/session file/);
  expect(rpc.frames()).toContainEqual(
    expect.objectContaining({ method: "notify", notifyType: "error", message: error }),
  );
  expect((await rpc.ask({ type: "get_state" })).data.isStreaming).toBe(false);
  const { exitCode, stderr } = await rpc.end();
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^Error: .*session file/);
});

test("while a client does not read, the run goes on in bounded memory, and nothing it must have is lost", async () => {
  const words = "All work and no play makes a long answer. ".repeat(25_000);
  const long = turn(say(words), callTool("read", { path: "a.txt" })).with({ textPiece: 50 });
  await using model = await scriptedModel([long, long, long, turn(say("the end"))]);
  await using place = await workspace({ files: { "a.txt": "hello" } });
  const { child, exited } = open(place, model);
  child.stdin.write('{"id":"p","type":"prompt","message":"go"}\n');
  // Four requests are made while nobody reads a line.
  await model.waitForRequest(4, 60_000);
  await Bun.sleep(200);
  if (process.platform === "linux") {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    expect(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toBeLessThan(400);
  }
  let text = "";
  const isOver = Promise.withResolvers<void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    if (chunk.includes('"agent_end"')) isOver.resolve();
  });
  await isOver.promise;
  child.stdin.end();
  expect(await exited).toBe(0);
  const frames: Frame[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const count = (type: string) => frames.filter((frame) => frame.type === type).length;
  expect({
    responses: count("response"),
    // What was said, four answers, three results.
    ends: count("message_end"),
    tools: count("tool_execution_end"),
  }).toEqual({ responses: 1, ends: 8, tools: 3 });
  const answers = frames.filter(
    ({ type, message }) => type === "message_end" && message.role === "assistant",
  );
  expect(answers.slice(0, 3).every(({ message }) => message.content[0].text === words)).toBe(true);
}, 90_000);
