/** The wire's commands: those of the client library are those of RPC mode; a hook can stop a change of session. */

import { boot } from "@omp/engine/boot";
import type { SessionHooks } from "@omp/engine/protocol";
import { createCalls } from "@omp/rpc-client";
import type { OutFrame } from "@omp/rpc-client/wire";
import { say, scriptedModel, turn, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { createAnswering } from "../src/rpc/answering.ts";
import { wireCommands } from "../src/rpc/commands/registry.ts";
import { RunWatch } from "../src/rpc/run-watch.ts";

test("RPC-59 the client has one method for each command of the wire, and no other", async () => {
  const sent: string[] = [];
  const calls = createCalls((name) => {
    sent.push(name);
    return new Promise<never>(() => {});
  });
  for (const call of Object.values(calls)) void (call as () => unknown)();
  expect(sent.toSorted()).toEqual(Object.keys(wireCommands).toSorted());
  const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
  expect(Object.keys(calls).toSorted()).toEqual(Object.keys(wireCommands).map(camel).toSorted());
});

const REFERENCE =
  "prompt steer follow_up abort abort_and_prompt new_session get_state set_todos set_host_tools " +
  "set_model cycle_model get_available_models set_thinking_level cycle_thinking_level " +
  "set_steering_mode set_follow_up_mode set_interrupt_mode compact set_auto_compaction " +
  "set_auto_retry abort_retry bash abort_bash get_session_stats export_html switch_session branch " +
  "get_branch_messages get_last_assistant_text set_session_name get_messages";

test("every command of the reference is on the wire", () => {
  expect(Object.keys(wireCommands)).toEqual(expect.arrayContaining(REFERENCE.split(" ")));
});

test("RPC-40 a change of session that a hook stops is told as cancelled, and nothing changes", async () => {
  await using model = await scriptedModel([turn(say("hello"))]);
  await using place = await workspace();
  const hooks: SessionHooks = {
    beforeSwitch: () => Promise.resolve({ cancel: true }),
    beforeBranch: () => Promise.resolve({ cancel: true }),
  };
  await using engine = await boot({
    cwd: place.path,
    home: place.home,
    environment: model.environment(),
    ui: { request: () => Promise.resolve(undefined), tell() {} },
    session: { kind: "new" },
    hooks: [hooks],
  });
  await engine.dispatch({ type: "prompt", text: "hi" });
  const { session } = engine.snapshot();
  const [point] = await engine.dispatch({ type: "branch_points" });
  const sent: OutFrame[] = [];
  const desk = { engine, run: new RunWatch(), announce() {} };
  const answering = createAnswering(Promise.resolve(desk), (frame) => sent.push(frame));
  for (const command of [
    { type: "new_session" },
    { type: "switch_session", sessionPath: session.file },
    { type: "branch", entryId: point!.entryId },
  ]) {
    answering.take({ type: command.type, id: command.type, fields: command });
  }
  await answering.settled();
  expect(sent).toMatchObject([
    { id: "new_session", success: true, data: { cancelled: true } },
    { id: "switch_session", success: true, data: { cancelled: true } },
    { id: "branch", success: true, data: { cancelled: true } },
  ]);
  expect(engine.snapshot().session.header.id).toBe(session.header.id);
  expect(engine.snapshot().session.messages).toEqual(session.messages);
});
