/** RPC mode of the built binary: compaction by command and by itself, and the events of a full run. */

import { callTool, fail, say, scriptedModel, turn, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { startRpc, type Frame } from "./stage.ts";

const long = (name: string) => `${name} ${"x".repeat(3000)}`;
const SHORT = "retry: { baseDelayMs: 1 }\ncompaction: { keepRecentTokens: 900 }\n";
const CONFIG = "../home/.omp/agent/config.yml";

test("RPC-35 compact shortens the messages, and set_auto_compaction shows in the state", async () => {
  await using model = await scriptedModel(
    Array.from({ length: 20 }, () => (request) => {
      const isSummary = JSON.stringify(request.body).includes("<conversation>");
      return turn(say(isSummary ? "About it.\nTHE SUMMARY" : "ok"));
    }),
  );
  await using place = await workspace();
  await place.write(CONFIG, SHORT);
  await using rpc = await startRpc(place, model.environment());
  for (const name of ["one", "two", "three", "four"]) await rpc.prompt(long(name));
  const messages = async () => (await rpc.ask({ type: "get_messages" })).data.messages as unknown[];
  expect(await messages()).toHaveLength(8);
  const answer = await rpc.ask({ type: "compact", customInstructions: "mind the names" });
  expect(answer).toMatchObject({
    success: true,
    data: {
      summary: expect.stringContaining("THE SUMMARY"),
      firstKeptEntryId: expect.any(String),
      tokensBefore: expect.any(Number),
      report: { way: "model", reason: "manual" },
    },
  });
  expect(JSON.stringify(model.requests.at(-1)!.body)).toContain("mind the names");
  expect((await messages()).length).toBeLessThan(8);
  const state = async () => (await rpc.ask({ type: "get_state" })).data;
  expect(await state()).toMatchObject({ autoCompactionEnabled: true, isCompacting: false });
  await rpc.ask({ type: "set_auto_compaction", enabled: false });
  expect(await state()).toMatchObject({ autoCompactionEnabled: false });
}, 30_000);

const EVENTS = new Set(
  (
    "agent_start agent_end turn_start turn_end message_start message_update message_end " +
    "tool_execution_start tool_execution_update tool_execution_end auto_compaction_start " +
    "auto_compaction_end auto_retry_start auto_retry_end ttsr_triggered todo_reminder todo_auto_clear"
  ).split(" "),
);

test("RPC-41 a run with a tool, a retry and a compaction tells events of the list, in legal order", async () => {
  const script = [
    ...["1", "2", "3"].map(() => turn(say("ok"))),
    fail(503),
    turn(callTool("bash", { command: "echo hi" })),
    fail(400, { body: { error: { code: "context_length_exceeded", message: "too long" } } }),
  ];
  await using model = await scriptedModel(
    Array.from({ length: 20 }, () => (request) => {
      const isSummary = JSON.stringify(request.body).includes("<conversation>");
      return isSummary ? turn(say("THE SUMMARY")) : (script.shift() ?? turn(say("done")));
    }),
  );
  await using place = await workspace();
  await place.write(CONFIG, `${SHORT}contextPromotion: { enabled: false }\n`);
  await using rpc = await startRpc(place, model.environment(), { args: ["--yolo"] });
  for (const name of ["one", "two", "three"]) await rpc.prompt(long(name));
  const from = rpc.frames().length;
  await rpc.prompt("go");
  const events = rpc
    .frames()
    .slice(from)
    .filter(({ type }) => type !== "response" && type !== "extension_ui_request");
  expect(events.filter(({ type }) => !EVENTS.has(type))).toEqual([]);
  const types = events.map(({ type }) => type);
  expect([types[0], types.at(-1)]).toEqual(["agent_start", "agent_end"]);
  for (const name of ["auto_retry", "auto_compaction", "tool_execution"])
    expect(types.indexOf(`${name}_start`)).toBeWithin(1, types.indexOf(`${name}_end`));
  expect(balanced(events, "turn")).toBe(true);
  expect(balanced(events, "message")).toBe(true);
  expect(events.find(({ type }) => type === "auto_compaction_end")).toMatchObject({
    reason: "overflow",
    willRetry: true,
    aborted: false,
    result: { summary: expect.stringContaining("THE SUMMARY") },
  });
}, 30_000);

/** Each start has its end before the next one. */
function balanced(events: readonly Frame[], name: string): boolean {
  let open = 0;
  for (const { type } of events) {
    if (type === `${name}_start`) open++;
    if (type === `${name}_end`) open--;
    if (open < 0 || open > 1) return false;
  }
  return open === 0;
}
