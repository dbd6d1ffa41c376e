/** RPC mode of the built binary: tools and answers of the program that drives it, and its end. */

import { callTool, readJsonl, say, scriptedModel, turn, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { startRpc, textIn, type Frame, type Rpc } from "./stage.ts";

const tool = (name: string, more: object = {}) => ({
  name,
  label: "Echo",
  description: `Says it again: ${name}`,
  parameters: {
    type: "object",
    properties: { message: { type: "string" } },
    required: ["message"],
  },
  ...more,
});

const yolo = { args: ["--yolo"] };
const content = (text: string) => ({ content: [{ type: "text", text }] });
const resultsIn = (rpc: Rpc) =>
  rpc.frames().filter(({ type }) => type === "tool_execution_end") as readonly Frame[];

test("RPC-29 RPC-30 host tools replace each other as a whole; a wrong one changes nothing", async () => {
  await using model = await scriptedModel([turn(say("ok"))]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment());
  const set = (...tools: object[]) => rpc.ask({ type: "set_host_tools", tools });
  const offered = async () =>
    (await rpc.ask({ type: "get_state" })).data.dumpTools.map(({ name }: { name: string }) => name);
  const built = await offered();
  expect((await set(tool("first"))).data).toEqual({ toolNames: ["first"] });
  expect((await set(tool("second"), tool("third"))).data).toEqual({
    toolNames: ["second", "third"],
  });
  expect(await offered()).toEqual([...built, "second", "third"]);
  for (const wrong of [
    tool("read"),
    tool("has space"),
    tool("ok", { parameters: 5 }),
    tool("ok", { parameters: { type: "string" } }),
  ]) {
    const { success, error } = await set(tool("new"), wrong);
    expect({ success, error }).toEqual({ success: false, error: expect.any(String) });
    expect(await offered()).toEqual([...built, "second", "third"]);
  }
  await rpc.prompt("hi");
  const sent = (model.requests[0]!.body as { tools: { name: string }[] }).tools;
  expect(sent.map(({ name }) => name)).toEqual([...built, "second", "third"]);
  expect((await set()).data).toEqual({ toolNames: [] });
});

test("RPC-52 RPC-54 RPC-55 RPC-56 a host tool is called, reports, answers and fails over the wire", async () => {
  await using model = await scriptedModel([
    turn(callTool("echo_host", { message: "hello" }, "toolu_1")),
    turn(callTool("echo_host", { message: "bad" }, "toolu_2")),
    turn(say("done")),
  ]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment(), yolo);
  await rpc.ask({ type: "set_host_tools", tools: [tool("echo_host")] });
  await rpc.ask({ type: "prompt", message: "go" });
  const call = await rpc.untilType("host_tool_call");
  expect(call).toEqual({
    type: "host_tool_call",
    id: expect.any(String),
    toolCallId: "toolu_1",
    toolName: "echo_host",
    arguments: { message: "hello" },
  });
  for (const part of ["half", "nearly"]) {
    await rpc.send({ type: "host_tool_update", id: call.id, partialResult: content(part) });
  }
  await rpc.send({ type: "host_tool_update", id: "nobody", partialResult: content("lost") });
  await rpc.send({ type: "host_tool_result", id: call.id, result: content("hello again") });
  await rpc.send({ type: "host_tool_result", id: call.id, result: content("and again") });
  const second = await rpc.until(
    ({ toolCallId, type }) => type === "host_tool_call" && toolCallId === "toolu_2",
  );
  await rpc.send({
    type: "host_tool_result",
    id: second.id,
    result: content("not today"),
    isError: true,
  });
  await rpc.untilType("agent_end");
  const updates = rpc.frames().filter(({ type }) => type === "tool_execution_update");
  expect(updates.map(({ partialResult }) => textIn(partialResult))).toEqual(["half", "nearly"]);
  expect(resultsIn(rpc).map(({ result, isError }) => [textIn(result), isError])).toEqual([
    ["hello again", false],
    ["not today", true],
  ]);
  expect(rpc.frames().filter(({ success }) => success === false)).toEqual([]);
  expect(JSON.stringify(model.requests[1]!.body)).toContain("hello again");
  expect(JSON.stringify(model.requests[2]!.body)).toContain("not today");
});

test("RPC-53 an abort cancels the host tool, and its result says so", async () => {
  await using model = await scriptedModel([
    turn(callTool("echo_host", { message: "x" }, "toolu_1")),
  ]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment(), yolo);
  await rpc.ask({ type: "set_host_tools", tools: [tool("echo_host")] });
  await rpc.ask({ type: "prompt", message: "go" });
  const call = await rpc.untilType("host_tool_call");
  await rpc.ask({ type: "abort" });
  expect(await rpc.untilType("host_tool_cancel")).toEqual({
    type: "host_tool_cancel",
    id: expect.any(String),
    targetId: call.id,
  });
  await rpc.untilType("agent_end");
  expect(resultsIn(rpc)).toMatchObject([{ isError: true }]);
  expect(textIn(resultsIn(rpc)[0]!["result"])).toMatch(/abort/i);
  await rpc.send({ type: "host_tool_result", id: call.id, result: content("too late") });
  expect((await rpc.ask({ type: "get_state" })).success).toBe(true);
});

test("RPC-05 RPC-10 the end of the input fails waiting host tools, ends the run and exits with 0", async () => {
  await using model = await scriptedModel([
    turn(callTool("echo_host", { message: "x" }, "toolu_1")),
  ]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment(), yolo);
  await rpc.ask({ type: "set_host_tools", tools: [tool("echo_host")] });
  const { sessionFile } = (await rpc.ask({ type: "get_state" })).data;
  await rpc.ask({ type: "prompt", message: "go" });
  const call = await rpc.untilType("host_tool_call");
  await rpc.send({ type: "host_tool_update", id: call.id, partialResult: content("half") });
  await rpc.send({ type: "host_tool_result", id: "zzz", result: content("lost") });
  await rpc.send({ type: "extension_ui_response", id: "zzz", value: "x" });
  const { exitCode, signal, stderr } = await rpc.end();
  expect({ exitCode, signal, stderr }).toEqual({ exitCode: 0, signal: null, stderr: "" });
  expect(resultsIn(rpc)).toMatchObject([{ toolCallId: "toolu_1", isError: true }]);
  expect(rpc.frames().filter(({ command }) => command === "parse")).toEqual([]);
  const results = ((await readJsonl(sessionFile)) as Frame[]).filter(
    ({ type, message }) => type === "message" && message.role === "toolResult",
  );
  expect(results).toMatchObject([{ message: { toolCallId: "toolu_1", isError: true } }]);
});

test("RPC-46 RPC-48 a tool that needs approval is asked over the wire; stray answers are ignored", async () => {
  const write = (name: string) => turn(callTool("write", { path: name, content: "x" }));
  await using model = await scriptedModel([
    ...[write("yes.txt"), write("no.txt"), write("never.txt"), write("odd.txt")],
    turn(say("done")),
  ]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment(), {
    args: ["--approval-mode", "always-ask"],
  });
  await rpc.send({ type: "extension_ui_response", id: "zzz", confirmed: true });
  await rpc.ask({ type: "prompt", message: "go" });
  const answers = [
    { confirmed: true },
    { confirmed: false },
    { cancelled: true },
    { value: "yes" },
  ];
  let from = 0;
  for (const answer of answers) {
    const question = await rpc.untilType("extension_ui_request", from);
    from = rpc.frames().indexOf(question) + 1;
    expect(question).toEqual({
      type: "extension_ui_request",
      id: expect.any(String),
      method: "confirm",
      title: "Allow tool: write",
      message: expect.stringContaining(".txt"),
    });
    await rpc.send({ type: "extension_ui_response", id: question.id, ...answer });
    // A second answer to the same question is one too many.
    await rpc.send({ type: "extension_ui_response", id: question.id, confirmed: true });
  }
  await rpc.untilType("agent_end");
  expect(resultsIn(rpc).map(({ isError }) => isError)).toEqual([false, true, true, true]);
  expect(["yes", "no", "never", "odd"].map((name) => place.exists(`${name}.txt`))).toEqual([
    ...[true, false],
    ...[false, false],
  ]);
});

test("RPC-47 an abort takes the question back, and a late answer allows nothing", async () => {
  await using model = await scriptedModel([
    turn(callTool("write", { path: "a.txt", content: "x" })),
  ]);
  await using place = await workspace();
  await using rpc = await startRpc(place, model.environment(), {
    args: ["--approval-mode", "always-ask"],
  });
  await rpc.ask({ type: "prompt", message: "go" });
  const question = await rpc.untilType("extension_ui_request");
  await rpc.ask({ type: "abort" });
  expect(await rpc.until(({ method }) => method === "cancel")).toEqual({
    type: "extension_ui_request",
    id: expect.any(String),
    method: "cancel",
    targetId: question.id,
  });
  await rpc.send({ type: "extension_ui_response", id: question.id, confirmed: true });
  await rpc.untilType("agent_end");
  expect(place.exists("a.txt")).toBe(false);
});
