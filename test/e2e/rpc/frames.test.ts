/** RPC mode of the built binary: framing, correlation, bad input, the end. */

import { runOmp, say, scriptedModel, turn, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { startRpc } from "./stage.ts";

test("RPC-01 CLI-06 files and prompts on the command line are refused; other options apply", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace({ files: { x: "x" } });
  const at = { cwd: place.path, home: place.home, env: model.environment() };
  for (const mode of ["rpc", "rpc-ui"]) {
    const { exitCode, stdout, stderr } = await runOmp(["--mode", mode, "@x"], at);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain("RPC mode takes no files on the command line: @x");
  }
  expect((await runOmp(["--mode", "rpc", "hello"], at)).stderr).toContain("takes no prompt");
  await using rpc = await startRpc(place, model.environment(), {
    args: ["--model", "openai/gpt-4.1", "--no-session", "--tools", "read"],
  });
  const { data } = await rpc.ask({ type: "get_state" });
  expect(data.model).toMatchObject({ provider: "openai", id: "gpt-4.1" });
  expect(data.dumpTools.map(({ name }: { name: string }) => name)).toEqual(["read"]);
  expect(data).not.toHaveProperty("sessionFile");
});

test("RPC-02 RPC-04 RPC-11 ready comes first, then one object per line, each answer with the id of its command", async () => {
  await using model = await scriptedModel([turn(say("a\u2028b\nc"))]);
  await using place = await workspace();
  // A setting that is wrong: the warning must not be a line of its own kind.
  await place.write("../home/.omp/agent/config.yml", "retry: { baseDelayMs: soon }\n");
  await using rpc = await startRpc(place, model.environment(), { env: { PI_DEBUG: "1" } });
  await rpc.send({ type: "get_messages" });
  await rpc.send({ type: "get_messages", id: 7 });
  await rpc.prompt("hi");
  const { stdout, exitCode } = await rpc.end();
  expect(exitCode).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  // The answer has a line end of another kind, inside of its line.
  expect(lines.map((line) => JSON.parse(line).type)).not.toContain(undefined);
  const [ready, ...frames] = rpc.frames();
  expect(ready).toEqual({ type: "ready" });
  expect(frames.filter(({ command }) => command === "get_messages")).toEqual([
    { type: "response", command: "get_messages", success: true, data: { messages: [] } },
    { id: 7, type: "response", command: "get_messages", success: true, data: { messages: [] } },
  ]);
  expect(frames).toContainEqual(
    expect.objectContaining({
      type: "extension_ui_request",
      method: "notify",
      notifyType: "warning",
      message: expect.stringContaining("baseDelayMs"),
    }),
  );
});

const deep = (levels: number) => `{"type":"get_state","v":${"[".repeat(levels)}`;

test("RPC-13 RPC-14 RPC-15 RPC-16 bad input is answered with its reason, and the next command as ever", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  const parse: readonly (readonly [string, RegExp])[] = [
    ["{", /not JSON/],
    ["hello", /not JSON/],
    ["[]", /one JSON object/],
    ["{}", /"type"/],
    ['{"type":5}', /"type"/],
    ['{"type":"get_state","id":[]}', /"id"/],
    [deep(1_000_000), /deeper/],
  ];
  for (const [line, problem] of parse) {
    const from = rpc.frames().length;
    await rpc.send(line);
    expect(await rpc.untilType("response", from)).toEqual({
      type: "response",
      command: "parse",
      success: false,
      error: expect.stringMatching(problem),
    });
    expect((await rpc.ask({ type: "get_messages" })).success).toBe(true);
  }
  const commands: readonly (readonly [Record<string, unknown>, string | RegExp])[] = [
    [{ type: "nope" }, "Unknown command: nope"],
    [{ type: "constructor" }, "Unknown command: constructor"],
    [{ type: "prompt" }, '"message" must be a string'],
    [{ type: "prompt", message: 5 }, '"message" must be a string'],
    [{ type: "prompt", message: "x", images: [{ type: "image" }] }, /"images" must be a list/],
    [{ type: "set_steering_mode", mode: "some" }, '"mode" must be one of all, one-at-a-time'],
    [{ type: "set_auto_retry", enabled: "yes" }, '"enabled" must be true or false'],
    [{ type: "set_thinking_level", level: "max" }, /"level" must be one of off, minimal/],
    [{ type: "set_host_tools", tools: {} }, '"tools" must be a list of objects'],
    [{ type: "compact" }, "There is nothing old enough to summarize"],
    [{ type: "switch_session", sessionPath: "no/such.jsonl" }, /no\/such\.jsonl/],
    [{ type: "branch", entryId: "nobody" }, /nobody|entry/i],
  ];
  for (const [command, error] of commands) {
    expect(await rpc.ask(command)).toEqual({
      id: expect.any(String),
      type: "response",
      command: String(command["type"]),
      success: false,
      error: typeof error === "string" ? error : expect.stringMatching(error),
    });
    expect((await rpc.ask({ type: "get_state" })).success).toBe(true);
  }
}, 30_000);

test("a line of 100 MB is skipped in bounded memory; bytes that are not UTF-8, CRLF and blank lines do no harm", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  await rpc.send("\n\r\n  ");
  expect((await rpc.ask({ type: "get_messages" })).success).toBe(true);
  await rpc.send('{"id":"crlf","type":"get_messages"}\r');
  await rpc.until(({ id }) => id === "crlf");
  await rpc.send(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]));
  await rpc.until(({ error }) => error === "The line is not valid UTF-8");
  const from = rpc.frames().length;
  const before = peakMegabytes(rpc.pid);
  await rpc.send("x".repeat(100 * 1024 * 1024));
  const { error } = await rpc.until(({ command }) => command === "parse", from);
  expect(error).toBe("The line is longer than the limit of 67108864 bytes");
  expect((await rpc.ask({ type: "get_messages" })).success).toBe(true);
  expect(peakMegabytes(rpc.pid) - before).toBeLessThan(250);
}, 60_000);

/** High-water mark of resident memory; 0 where the system does not tell. */
function peakMegabytes(pid: number): number {
  if (process.platform !== "linux") return 0;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
