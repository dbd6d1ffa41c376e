/** JSON mode of the built binary: one JSON object per line, in legal order, adding up to the answer. */

import { callTool, fail, say, scriptedModel, think, turn, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { run } from "./stage.ts";

interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

const linesOf = (stdout: string): Line[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("the header, then every event of the run as one line each", async () => {
  await using model = await scriptedModel([
    turn(say("I look."), callTool("read", { path: "a.txt" })),
    turn(say("It says hello.")),
  ]);
  await using place = await workspace({ files: { "a.txt": "hello" } });
  const { stdout, exitCode } = await run(place, model, ["--mode", "json", "what does it say?"]);
  expect(exitCode).toBe(0);
  const [header, ...events] = linesOf(stdout);
  expect(header).toMatchObject({ type: "session", version: 3, cwd: place.path });
  const order = events.map(({ type }) => type).filter((type) => type !== "message_update");
  expect(order).toEqual([
    "agent_start",
    ...["message_start", "message_end"], // what the person said
    "turn_start",
    ...["message_start", "usage", "message_end"],
    ...["tool_execution_start", "tool_execution_end"],
    ...["message_start", "message_end"], // the tool's result
    "turn_end",
    "turn_start",
    ...["message_start", "usage", "message_end"],
    "turn_end",
    "agent_end",
  ]);
  const roles = (events.at(-1) as unknown as { messages: { role: string }[] }).messages;
  expect(roles.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "assistant"]);
});

test("CLI-26 updates carry start, deltas and end of each block, which add up", async () => {
  await using model = await scriptedModel([
    turn(think("let me see"), say("I will look."), callTool("read", { path: "a.txt" })).with({
      textPiece: 3,
      argumentPiece: 4,
    }),
    turn(say("done")),
  ]);
  await using place = await workspace({ files: { "a.txt": "hello" } });
  const { stdout } = await run(place, model, ["--mode", "json", "go"]);
  const updates = linesOf(stdout)
    .filter(({ type }) => type === "message_update")
    .map(({ assistantMessageEvent }) => assistantMessageEvent as Line)
    .slice(0, -3); // the second answer
  const grammar = updates.map(({ type, contentIndex }) => `${type} ${contentIndex}`).join("\n");
  expect(grammar).toMatch(
    /^thinking_start 0\n(thinking_delta 0\n)+thinking_end 0\ntext_start 1\n(text_delta 1\n)+text_end 1\ntoolcall_start 2\n(toolcall_delta 2\n)+toolcall_end 2/,
  );
  const sum = (type: string) =>
    updates
      .filter((update) => update.type === type)
      .map(({ delta }) => delta)
      .join("");
  expect(sum("thinking_delta")).toBe("let me see");
  expect(sum("text_delta")).toBe("I will look.");
  expect(JSON.parse(sum("toolcall_delta"))).toEqual({ path: "a.txt" });
});

test("STRM-23 retries are told as events, and the failed answer is not sent to the model again", async () => {
  await using model = await scriptedModel([
    fail(503, { message: "busy" }),
    fail(529, { message: "busy" }),
    turn(say("at last")),
  ]);
  await using place = await workspace();
  await place.write("../home/.omp/agent/config.yml", "retry: { baseDelayMs: 1 }\n");
  const { stdout, exitCode } = await run(place, model, ["--mode", "json", "hi"]);
  expect(exitCode).toBe(0);
  const retries = linesOf(stdout).filter(({ type }) => type.startsWith("auto_retry"));
  expect(retries).toEqual([
    expect.objectContaining({ type: "auto_retry_start", attempt: 1, maxAttempts: 10 }),
    expect.objectContaining({ type: "auto_retry_start", attempt: 2, maxAttempts: 10 }),
    { type: "auto_retry_end", success: true, attempt: 2 },
  ]);
  const ends = linesOf(stdout)
    .filter(({ type }) => type === "message_end")
    .map(({ message }) => message as { role: string; stopReason?: string });
  const stops = ends.filter(({ role }) => role === "assistant").map((one) => one.stopReason);
  expect(stops).toEqual(["error", "error", "stop"]);
  expect((model.requests[2]!.body as { messages: unknown[] }).messages).toHaveLength(1);
});
