/** Messages that come while a run is in progress, through the engine. */

import { callTool, say, turn, type ScriptedModel } from "@omp/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import type { EngineEvent } from "../src/protocol/index.ts";
import { sent, stage, type BootedEngine, type Stage } from "./stage.ts";

/** Waits until the test lets it go on. */
const waiting = (file: string) => `until [ -e ${file} ]; do sleep 0.01; done; echo ${file}`;
const bash = (file: string) => callTool("bash", { command: waiting(file) }, file);
const three = turn(bash("one"), bash("two"), bash("three"));

function letGo(set: Stage, ...files: string[]) {
  for (const file of files) writeFileSync(join(set.place.path, file), "");
}

async function until(booted: BootedEngine, fits: (event: EngineEvent) => boolean): Promise<void> {
  if (booted.events.some(fits)) return;
  await new Promise<void>((resolve) => {
    const end = booted.engine.subscribe((event) => {
      if (!fits(event)) return;
      end();
      resolve();
    });
  });
}

const isStarted = (id: string) => (event: EngineEvent) =>
  event.type === "tool_execution_start" && event.toolCallId === id;

/** The texts of the person in a request, oldest first. */
function saidIn(model: ScriptedModel, request: number): string[] {
  const { messages } = model.requests[request]!.body as {
    messages: { role: string; content: string | { type: string; text?: string }[] }[];
  };
  return messages.flatMap(({ role, content }) => {
    if (role !== "user") return [];
    if (typeof content === "string") return [content];
    return content.flatMap(({ type, text }) => (type === "text" ? [text!] : []));
  });
}

test("RPC-34 SET-315 immediate skips the calls that are left; wait runs them all before the message", async () => {
  for (const mode of ["immediate", "wait"] as const) {
    await using set = await stage([three, turn(say("ok"))]);
    await using booted = await set.boot({ config: `interruptMode: ${mode}\n` });
    expect(booted.engine.snapshot().interruptMode).toBe(mode);
    const running = booted.prompt("go");
    await until(booted, isStarted("one"));
    await booted.engine.dispatch({ type: "steer", text: "turn left" });
    letGo(set, "one", "two", "three");
    expect(await running).toMatchObject({ stopReason: "stop", text: "ok" });
    const ran = booted.events.filter(({ type }) => type === "tool_execution_end").length;
    expect(ran).toBe(mode === "immediate" ? 1 : 3);
    expect(saidIn(set.model, 1)).toEqual(["go", "turn left"]);
    expect(sent(set.model, 1).includes("Not run: the user said something first")).toBe(
      mode === "immediate",
    );
  }
});

test("SET-315 immediate is the default; the command changes it for the run in progress", async () => {
  await using set = await stage([three, turn(say("ok"))]);
  await using booted = await set.boot();
  expect(booted.engine.snapshot().interruptMode).toBe("immediate");
  const running = booted.prompt("go");
  await until(booted, isStarted("one"));
  await booted.engine.dispatch({ type: "set_interrupt_mode", mode: "wait" });
  await booted.engine.dispatch({ type: "steer", text: "turn left" });
  letGo(set, "one", "two", "three");
  await running;
  expect(booted.events.filter(({ type }) => type === "tool_execution_end")).toHaveLength(3);
});

test("RPC-22 SLASH-30 during a run a prompt needs to say where it goes: none fails, steer interrupts, followUp waits", async () => {
  await using set = await stage([three, turn(say("ok")), turn(say("done"))]);
  await set.place.write("../home/.omp/agent/commands/turn.md", "Turn to the $1.\n");
  await using booted = await set.boot();
  const { engine } = booted;
  const running = booted.prompt("go");
  await until(booted, isStarted("one"));
  const send = (text: string, streamingBehavior?: "steer" | "followUp") =>
    engine.dispatch({ type: "prompt", text, ...(streamingBehavior && { streamingBehavior }) });
  expect(await send("lost").catch((error) => error)).toMatchObject({
    kind: "busy",
    message:
      "A run is already in progress. Queue the message with streamingBehavior steer or followUp.",
  });
  expect(await send("after", "followUp")).toMatchObject({ isQueued: true });
  expect(await send("/turn left", "steer")).toMatchObject({ isQueued: true });
  letGo(set, "one");
  expect(await running).toMatchObject({ text: "done" });
  expect(saidIn(set.model, 1)).toEqual(["go", "Turn to the left."]);
  expect(saidIn(set.model, 2)).toEqual(["go", "Turn to the left.", "after"]);
});

test("steer and follow_up wait visibly and stand in the session where they were heard", async () => {
  await using set = await stage([three, turn(say("ok")), turn(say("done"))]);
  await using booted = await set.boot();
  const { engine } = booted;
  const running = booted.prompt("go");
  await until(booted, isStarted("one"));
  await engine.dispatch({ type: "follow_up", text: "after" });
  await engine.dispatch({ type: "steer", text: "now" });
  expect(engine.snapshot().queue).toEqual({
    steering: [{ text: "now" }],
    followUp: [{ text: "after" }],
  });
  letGo(set, "one");
  await running;
  expect(engine.snapshot().queue).toEqual({ steering: [], followUp: [] });
  const roles = (await set.entries()).flatMap(({ message }) => {
    const { role, content } = (message ?? {}) as { role?: string; content: { text?: string }[] };
    return role === undefined ? [] : [role === "user" ? content[0]!.text : role];
  });
  expect(roles).toEqual([
    "go",
    "assistant",
    ...["toolResult", "toolResult", "toolResult"],
    "now",
    "assistant",
    "after",
    "assistant",
  ]);
  const heard = booted.events.flatMap((event) =>
    event.type === "queue_change" || (event.type === "message_end" && event.message.role === "user")
      ? [event.type]
      : [],
  );
  expect(heard).toEqual([
    "message_end",
    "queue_change",
    "queue_change",
    "queue_change",
    "message_end",
    "queue_change",
    "message_end",
  ]);
});

test("RPC-33 SET-313 SET-314 one at a time is the default; all delivers everything in one turn", async () => {
  for (const mode of [undefined, "all"] as const) {
    await using set = await stage(
      Array.from({ length: 5 }, () => turn(say("ok")).with({ delayMs: 50 })),
    );
    await using booted = await set.boot();
    const { engine } = booted;
    if (mode) {
      await engine.dispatch({ type: "set_steering_mode", mode });
      await engine.dispatch({ type: "set_follow_up_mode", mode });
    }
    const shown = mode ?? "one-at-a-time";
    expect(engine.snapshot()).toMatchObject({ steeringMode: shown, followUpMode: shown });
    const running = booted.prompt("go");
    await set.model.waitForRequest(1);
    for (const text of ["a", "b"]) await engine.dispatch({ type: "steer", text });
    for (const text of ["c", "d"]) await engine.dispatch({ type: "follow_up", text });
    await running;
    const told = set.model.requests.map((_, index) => saidIn(set.model, index).slice(1).join(""));
    expect(told).toEqual(mode ? ["", "ab", "abcd"] : ["", "a", "ab", "abc", "abcd"]);
  }
});

test("SET-313 SET-314 the settings decide how many are delivered", async () => {
  await using set = await stage(
    Array.from({ length: 4 }, () => turn(say("ok")).with({ delayMs: 50 })),
  );
  await using booted = await set.boot({
    config: "steeringMode: all\nfollowUpMode: one-at-a-time\n",
  });
  const running = booted.prompt("go");
  await set.model.waitForRequest(1);
  for (const text of ["a", "b"]) await booted.engine.dispatch({ type: "steer", text });
  for (const text of ["c", "d"]) await booted.engine.dispatch({ type: "follow_up", text });
  await running;
  const told = set.model.requests.map((_, index) => saidIn(set.model, index).slice(1).join(""));
  expect(told).toEqual(["", "ab", "abc", "abcd"]);
});

test("an abort stops the run; what was queued waits, can be taken back, or goes before the next prompt", async () => {
  const silent = turn(say("I have begun")).with({ fault: { kind: "silence", atByte: 700 } });
  await using set = await stage([silent, silent, turn(say("new"))]);
  await using booted = await set.boot();
  const { engine } = booted;
  const abortWith = async (text: string) => {
    const { length } = booted.events;
    const running = booted.prompt(text);
    while (!booted.events.slice(length).some(({ type }) => type === "message_update")) {
      await Bun.sleep(2);
    }
    await engine.dispatch({ type: "steer", text: `steer ${text}` });
    await engine.dispatch({ type: "abort" });
    expect(await running).toMatchObject({ stopReason: "aborted" });
  };
  await abortWith("one");
  const answers = booted.events.flatMap((event) =>
    event.type === "message_end" && event.message.role === "assistant" ? [event.message] : [],
  );
  expect(answers.at(-1)).toMatchObject({ stopReason: "aborted" });
  expect(await engine.dispatch({ type: "clear_queue" })).toEqual({
    steering: [{ text: "steer one" }],
    followUp: [],
  });
  await abortWith("two");
  expect(engine.snapshot().queue.steering).toEqual([{ text: "steer two" }]);
  expect(await booted.prompt("three")).toMatchObject({ text: "new" });
  expect(saidIn(set.model, 2)).toEqual(["one", "two", "steer two", "three"]);
});

test("an abort during the tools leaves a result for every call, in the file too", async () => {
  await using set = await stage([three, turn(say("I see"))]);
  await using booted = await set.boot();
  const running = booted.prompt("go");
  await until(booted, isStarted("one"));
  await booted.engine.dispatch({ type: "abort" });
  expect(await running).toMatchObject({ stopReason: "aborted" });
  const results = (await set.entries()).flatMap(({ message }) => {
    const { role, toolCallId } = (message ?? {}) as { role?: string; toolCallId?: string };
    return role === "toolResult" ? [toolCallId] : [];
  });
  expect(results).toEqual(["one", "two", "three"]);
  expect(await booted.prompt("and now?")).toMatchObject({ text: "I see" });
});

test("set_auto_retry takes effect at once", async () => {
  await using set = await stage([]);
  await using booted = await set.boot();
  expect(booted.engine.snapshot().isAutoRetryEnabled).toBe(true);
  await booted.engine.dispatch({ type: "set_auto_retry", enabled: false });
  expect(booted.engine.snapshot().isAutoRetryEnabled).toBe(false);
  expect(await booted.prompt("go")).toMatchObject({ stopReason: "error" });
  expect(set.model.requests).toHaveLength(1);
});
