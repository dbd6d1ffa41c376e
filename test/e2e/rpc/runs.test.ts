/** RPC mode of the built binary: prompts, queues, aborts, retries, commands of the shell. */

import {
  callTool,
  fail,
  readJsonl,
  say,
  scriptedModel,
  think,
  turn,
  workspace,
  type Answer,
} from "@omp/testkit";
import { expect, test } from "bun:test";
import { texts } from "../stage.ts";
import { startRpc, textIn, type Frame, type Rpc } from "./stage.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Never ends by itself. */
const stuck = turn(say("thinking aloud")).with({ fault: { kind: "silence", atByte: 900 } });

/** An answer that waits until the test lets it go. */
function held(answer: Answer) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  return { turn: () => promise.then(() => answer), release };
}

const lastAnswer = (rpc: Rpc) =>
  rpc
    .frames()
    .filter(({ type, message }) => type === "message_end" && message.role === "assistant")
    .at(-1)!["message"];

test("RPC-20 RPC-21 RPC-26 a prompt with an image: answered at once, told by events, ended by agent_end", async () => {
  await using model = await scriptedModel([turn(say("I see."))]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  const images = [{ type: "image", data: PIXEL, mimeType: "image/png" }];
  await rpc.prompt("look", { images });
  const order = rpc.frames().map(({ type }) => type);
  expect(order.filter((type) => type !== "message_update")).toEqual([
    "ready",
    "response",
    "agent_start",
    ...["message_start", "message_end"],
    "turn_start",
    ...["message_start", "message_end"],
    "turn_end",
    "agent_end",
  ]);
  const { messages } = model.requests[0]!.body as { messages: { content: unknown[] }[] };
  expect(JSON.stringify(messages[0]!.content)).toContain('"look"');
  expect(JSON.stringify(messages[0]!.content)).toContain('"image/png"');
});

test("RPC-42 CLI-26 updates have the message so far, and their deltas add up", async () => {
  await using model = await scriptedModel([
    turn(think("let me see"), say("I will look."), callTool("read", { path: "a.txt" })).with({
      textPiece: 3,
      argumentPiece: 4,
      betweenMs: 5,
    }),
    turn(say("done")),
  ]);
  await using place = await workspace({ files: { "a.txt": "hello" } });
  await using rpc = await startRpc(place, model.environment());
  await rpc.prompt("go");
  const end = rpc.frames().findIndex(({ type }) => type === "turn_end");
  const updates = rpc
    .frames()
    .slice(0, end)
    .filter(({ type }) => type === "message_update");
  const events = updates.map(({ assistantMessageEvent }) => assistantMessageEvent as Frame);
  const grammar = events.map(({ type, contentIndex }) => `${type} ${contentIndex}`).join("\n");
  expect(grammar).toMatch(
    /^thinking_start 0\n(thinking_delta 0\n)+thinking_end 0\ntext_start 1\n(text_delta 1\n)+text_end 1\ntoolcall_start 2\n(toolcall_delta 2\n)+toolcall_end 2$/,
  );
  const sum = (type: string) =>
    events.map((one) => (one.type === type ? one["delta"] : "")).join("");
  expect(sum("thinking_delta")).toBe("let me see");
  expect(sum("text_delta")).toBe("I will look.");
  expect(JSON.parse(sum("toolcall_delta"))).toEqual({ path: "a.txt" });
  for (const { message } of updates) expect(message).toMatchObject({ role: "assistant" });
  expect(updates.at(-1)!["message"].content).toMatchObject([
    { thinking: "let me see" },
    { text: "I will look." },
    { name: "read", arguments: { path: "a.txt" } },
  ]);
});

test("RPC-19 a prompt that cannot start is acknowledged and then fails with the same id", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  const images = [{ type: "image", data: "bm8gcGljdHVyZQ==", mimeType: "image/png" }];
  expect(await rpc.ask({ type: "prompt", message: "hi", images })).toMatchObject({ success: true });
  const second = await rpc.until(({ success }) => success === false);
  const [first] = rpc.frames().filter(({ type }) => type === "response");
  expect(second).toMatchObject({ id: first!.id, command: "prompt" });
  expect(second.error).toMatch(/image/i);
  expect((await rpc.ask({ type: "get_state" })).data.isStreaming).toBe(false);
});

test("RPC-22 RPC-23 a prompt during a run needs a way; steering comes in between, follow-ups after", async () => {
  const first = held(turn(say("Working."), callTool("read", { path: "a.txt" })));
  await using model = await scriptedModel([
    first.turn,
    turn(say("Seen.")),
    turn(say("Later.")),
    turn(say("Latest.")),
  ]);
  await using place = await workspace({ files: { "a.txt": "hello" } });
  await using rpc = await startRpc(place, model.environment());
  await rpc.ask({ type: "prompt", message: "first" });
  await model.waitForRequest(1);
  const refused = await rpc.ask({ type: "prompt", message: "no way" });
  expect(refused).toMatchObject({
    success: false,
    error: expect.stringContaining("streamingBehavior"),
  });
  await rpc.ask({ type: "prompt", message: "steered", streamingBehavior: "steer" });
  await rpc.ask({ type: "prompt", message: "followed", streamingBehavior: "followUp" });
  await rpc.ask({ type: "follow_up", message: "followed too" });
  expect((await rpc.ask({ type: "get_state" })).data).toMatchObject({
    isStreaming: true,
    queuedMessageCount: 3,
  });
  first.release();
  await rpc.untilType("agent_end");
  expect(model.requests).toHaveLength(4);
  expect(texts(model, 1).at(-1)).toContain("steered");
  expect(texts(model, 2).at(-1)).toBe("followed");
  expect(texts(model, 3).at(-1)).toBe("followed too");
  expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain("no way");
  expect((await rpc.ask({ type: "get_state" })).data.queuedMessageCount).toBe(0);
});

test("RPC-24 abort ends the run, abort_and_prompt begins another; a prompt at once after agent_end is taken", async () => {
  await using model = await scriptedModel([stuck, stuck, turn(say("fresh")), turn(say("again"))]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  await rpc.ask({ type: "prompt", message: "one" });
  await rpc.untilType("message_update");
  expect((await rpc.ask({ type: "abort" })).success).toBe(true);
  await rpc.untilType("agent_end");
  expect(lastAnswer(rpc)).toMatchObject({ stopReason: "aborted" });
  const from = rpc.frames().length;
  await rpc.ask({ type: "prompt", message: "two" });
  await rpc.untilType("message_update", from);
  expect((await rpc.ask({ type: "abort_and_prompt", message: "three" })).success).toBe(true);
  await rpc.until(({ type, message }) => type === "message_end" && textIn(message) === "fresh");
  const later = rpc.frames().length;
  await rpc.untilType("agent_end", later - 1);
  await rpc.prompt("four");
  expect(texts(model, 3).at(-1)).toBe("four");
});

test("RPC-33 of two steering messages one comes in at a time, or all of them", async () => {
  const look = turn(callTool("read", { path: "a.txt" }));
  const [one, two] = [held(look), held(look)];
  await using model = await scriptedModel([
    ...[one.turn, look, turn(say("one and one"))],
    ...[two.turn, turn(say("both"))],
  ]);
  await using place = await workspace({ files: { "a.txt": "hello" } });
  await using rpc = await startRpc(place, model.environment());
  const steerTwice = async (message: string, release: () => void) => {
    const from = rpc.frames().length;
    await rpc.ask({ type: "prompt", message });
    await rpc.ask({ type: "steer", message: `${message} left` });
    await rpc.ask({ type: "steer", message: `${message} right` });
    release();
    await rpc.untilType("agent_end", from);
  };
  await steerTwice("first", one.release);
  expect(texts(model, 1).join()).toContain("first left");
  expect(texts(model, 1).join()).not.toContain("first right");
  expect(texts(model, 2).join()).toContain("first right");
  await rpc.ask({ type: "set_steering_mode", mode: "all" });
  await steerTwice("second", two.release);
  expect(texts(model, 4).join()).toContain("second leftsecond right");
});

test("RPC-33 RPC-34 queue and interrupt modes are set by commands and hold", async () => {
  const wait = callTool("bash", { command: "until [ -e go ]; do sleep 0.01; done; rm go" });
  const three = turn(
    wait,
    callTool("bash", { command: "echo b" }),
    callTool("bash", { command: "echo c" }),
  );
  const last = held(turn(say("x")));
  await using model = await scriptedModel([
    ...[three, turn(say("skipped"))],
    ...[three, turn(say("waited"))],
    ...[last.turn, turn(say("both"))],
  ]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment(), { args: ["--yolo"] });
  const { data } = await rpc.ask({ type: "get_state" });
  expect(data).toMatchObject({
    steeringMode: "one-at-a-time",
    followUpMode: "one-at-a-time",
    interruptMode: "immediate",
  });
  const steerDuringFirstCall = async () => {
    const from = rpc.frames().length;
    await rpc.ask({ type: "prompt", message: "go" });
    await rpc.untilType("tool_execution_start", from);
    await rpc.ask({ type: "steer", message: "stop" });
    await place.write("go", "");
    await rpc.untilType("agent_end", from);
    const results = rpc
      .frames()
      .slice(from)
      .filter(({ type }) => type === "tool_execution_end");
    return results.map(({ isError }) => isError);
  };
  const [, ...rest] = await steerDuringFirstCall();
  expect(rest.every(Boolean)).toBe(true);
  expect(JSON.stringify(model.requests[1]!.body)).not.toMatch(/"[bc]\\n/);
  await rpc.ask({ type: "set_interrupt_mode", mode: "wait" });
  expect(await steerDuringFirstCall()).toEqual([false, false, false]);
  await rpc.ask({ type: "set_follow_up_mode", mode: "all" });
  await rpc.ask({ type: "set_steering_mode", mode: "all" });
  expect((await rpc.ask({ type: "get_state" })).data).toMatchObject({
    steeringMode: "all",
    followUpMode: "all",
    interruptMode: "wait",
  });
  const from = rpc.frames().length;
  await rpc.ask({ type: "prompt", message: "go" });
  await rpc.ask({ type: "follow_up", message: "one more" });
  await rpc.ask({ type: "follow_up", message: "and one" });
  last.release();
  await rpc.untilType("agent_end", from);
  expect(texts(model, 5).at(-1)).toBe("one moreand one");
}, 30_000);

test("RPC-36 RETRY-15 retries are told; they can be turned off, and a wait can be ended", async () => {
  const busy = fail(503, { message: "busy" });
  await using model = await scriptedModel([...[busy, turn(say("at last"))], busy, ...[busy, busy]]);
  await using place = await workspace();
  await place.write("../home/.omp/agent/config.yml", "retry: { baseDelayMs: 1000 }\n");
  await using rpc = await startRpc(place, model.environment());
  const retries = (from: number) =>
    rpc
      .frames()
      .slice(from)
      .filter(({ type }) => type.startsWith("auto_retry"));
  await rpc.prompt("one");
  expect(retries(0)).toMatchObject([
    { type: "auto_retry_start", attempt: 1 },
    { type: "auto_retry_end", success: true },
  ]);
  await rpc.ask({ type: "set_auto_retry", enabled: false });
  const second = rpc.frames().length;
  await rpc.prompt("two");
  expect(retries(second)).toEqual([]);
  expect(lastAnswer(rpc)).toMatchObject({ stopReason: "error" });
  await rpc.ask({ type: "set_auto_retry", enabled: true });
  const third = rpc.frames().length;
  await rpc.ask({ type: "prompt", message: "three" });
  await rpc.untilType("auto_retry_start", third);
  expect((await rpc.ask({ type: "abort_retry" })).success).toBe(true);
  await rpc.untilType("agent_end", third);
  expect(retries(third).at(-1)).toMatchObject({
    type: "auto_retry_end",
    success: false,
    finalError: "Retry cancelled",
  });
  expect(model.requests).toHaveLength(4);
  // The switch is for this session: another process still retries.
  await using other = await startRpc(place, model.environment(), { args: ["--no-session"] });
  await other.ask({ type: "prompt", message: "go" });
  await other.untilType("auto_retry_start");
  await other.ask({ type: "abort" });
}, 30_000);

test("RPC-37 bash answers with output and exit code; abort_bash ends it at once", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  const { data } = await rpc.ask({ type: "bash", command: "echo x; exit 3" });
  expect(data).toMatchObject({ exitCode: 3, cancelled: false, truncated: false });
  expect(data.output).toContain("x");
  await rpc.send({ id: "long", type: "bash", command: "sleep 60" });
  // Others are answered while it runs.
  expect((await rpc.ask({ type: "get_state" })).success).toBe(true);
  await rpc.ask({ type: "abort_bash" });
  expect((await rpc.until(({ id }) => id === "long"))["data"]).toMatchObject({ cancelled: true });
});

test("a slash command that asks no model tells its end like a run", async () => {
  await using model = await scriptedModel([]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  const { data } = await rpc.ask({ type: "get_commands" });
  expect(data.commands.map(({ name }: { name: string }) => name)).toContain("session");
  await rpc.prompt("/session");
  expect(rpc.frames().at(-1)).toEqual({ type: "agent_end", messages: [] });
  expect(rpc.frames()).toContainEqual(expect.objectContaining({ method: "notify" }));
  expect(model.requests).toHaveLength(0);
});

test("RPC-07 the first prompt is one request: no title is asked for", async () => {
  await using model = await scriptedModel([turn(say("hello"))]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  await rpc.prompt("hi");
  const { data } = await rpc.ask({ type: "get_state" });
  await rpc.end();
  expect(model.requests).toHaveLength(1);
  const entries = await readJsonl(data.sessionFile);
  expect(entries.filter((entry) => (entry as Frame).type === "title_change")).toEqual([]);
});
