/** Tools that the front end brings along. */

import { ToolFailure, textOutput } from "@omp/agent";
import { callTool, say, turn } from "@omp/testkit";
import { tools } from "@omp/tools";
import { expect, test } from "bun:test";
import type { HostToolCall, HostToolPort } from "../src/protocol/index.ts";
import { sent, stage } from "./stage.ts";

const spec = (name: string, parameters: unknown = { type: "object", properties: {} }) => ({
  name,
  label: name,
  description: `what ${name} does`,
  parameters: parameters as Record<string, unknown>,
});

const house = tools.map(({ name }) => name);
const idle: HostToolPort = { call: () => Promise.resolve(textOutput("done")) };

test("RPC-29 a set replaces the one before and is in force with the next request", async () => {
  await using set = await stage([
    turn(callTool("look_up", { word: "x" }, "call-1")),
    turn(say("ok")),
    turn(say("ok")),
  ]);
  const calls: HostToolCall[] = [];
  const hostTools: HostToolPort = {
    call(call) {
      calls.push(call);
      call.update(textOutput("half"));
      return Promise.resolve(textOutput("all of it"));
    },
  };
  await using booted = await set.boot({ hostTools });
  const { engine } = booted;
  const offer = (...names: string[]) =>
    engine.dispatch({ type: "set_host_tools", tools: names.map((name) => spec(name)) });
  expect(await offer("look_up", "other")).toEqual(["look_up", "other"]);
  await booted.prompt("go");
  expect(calls).toMatchObject([
    { toolCallId: "call-1", toolName: "look_up", arguments: { word: "x" } },
  ]);
  expect(sent(set.model, 1)).toContain("all of it");
  const updates = booted.events.filter(({ type }) => type === "tool_execution_update");
  expect(updates).toMatchObject([{ toolCallId: "call-1", partialResult: textOutput("half") }]);
  expect(await offer("fresh")).toEqual(["fresh"]);
  await booted.prompt("again");
  const names = (set.model.requests[2]!.body as { tools: { name: string }[] }).tools.map(
    ({ name }) => name,
  );
  expect(names).toEqual([...house, "fresh"]);
  expect(engine.snapshot().tools.map(({ name }) => name)).toEqual(names);
});

test("RPC-30 one wrong tool refuses the whole set, and the one before stays", async () => {
  await using set = await stage([]);
  await using booted = await set.boot({ hostTools: idle });
  const { engine } = booted;
  await engine.dispatch({ type: "set_host_tools", tools: [spec("kept")] });
  const refused = [
    [spec("fine"), spec("read")],
    [spec("final_answer")],
    [spec("no", 5)],
    [spec("list", { type: "array" })],
    [spec("props", { type: "object", properties: 5 })],
    [spec("with blank")],
    [spec("x".repeat(65))],
    [spec("")],
    [spec("twice"), spec("twice")],
  ];
  for (const tools of refused) {
    const failed = engine.dispatch({ type: "set_host_tools", tools });
    expect(await failed.catch((error) => error)).toMatchObject({ kind: "bad-input" });
  }
  expect(engine.snapshot().tools.map(({ name }) => name)).toEqual([...house, "kept"]);
});

test("a failure is a failed result, an abort reaches the tool, and the gate comes before it", async () => {
  await using set = await stage([
    turn(callTool("fails", {})),
    turn(say("ok")),
    turn(callTool("waits", {})),
  ]);
  const seen: string[] = [];
  const hostTools: HostToolPort = {
    async call({ toolName, signal }) {
      seen.push(toolName);
      if (toolName === "fails") throw new ToolFailure("out of order");
      signal.addEventListener("abort", () => seen.push("aborted"));
      return new Promise(() => {});
    },
  };
  await using booted = await set.boot({ hostTools });
  const { engine } = booted;
  await engine.dispatch({ type: "set_host_tools", tools: [spec("fails"), spec("waits")] });
  await booted.prompt("go");
  expect(sent(set.model, 1)).toContain("out of order");
  const running = booted.prompt("again");
  while (!seen.includes("waits")) await Bun.sleep(2);
  await engine.dispatch({ type: "abort" });
  expect(await running).toMatchObject({ stopReason: "aborted" });
  expect(seen).toEqual(["fails", "waits", "aborted"]);
  expect(booted.events.findLast(({ type }) => type === "tool_execution_end")).toMatchObject({
    isError: true,
    result: textOutput("Aborted."),
  });

  await using careful = await stage([turn(callTool("waits", {})), turn(say("ok"))]);
  await using asked = await careful.boot({
    hostTools,
    settings: { "tools.approvalMode": "write" },
  });
  await asked.engine.dispatch({ type: "set_host_tools", tools: [spec("waits")] });
  await asked.prompt("go");
  expect(sent(careful.model, 1)).toContain("Refused: waits (exec) in approval mode write");
});
