/** A run that is aborted at any of its events can be gone on with, here and after a restart. */

import { callTool, say, think, turn, type TurnSource } from "@omp/testkit";
import { expect, test } from "bun:test";
import { stage } from "./stage.ts";

const script: readonly TurnSource[] = [
  turn(
    think("Let me look."),
    say("I look."),
    callTool("read", { path: "a.txt" }, "read-1"),
    callTool("read", { path: "missing.txt" }, "read-2"),
    callTool("bash", { command: "echo one; echo two" }, "bash-1"),
    callTool("write", { path: "b.txt", content: "b" }, "write-1"),
  ),
  turn(say("Done with that.")),
  turn(say("And that.")),
];

/** Who answers whatever comes after the script. */
const after: TurnSource = turn(say("I go on."));

async function abortedAt(index: number, { steers }: { steers: boolean }): Promise<boolean> {
  await using set = await stage([...script, ...Array.from({ length: 6 }, () => after)]);
  await set.place.write("a.txt", "hello\n");
  let kept: unknown;
  let isReached = false;
  {
    await using booted = await set.boot();
    const { engine } = booted;
    let seen = 0;
    const end = engine.subscribe((event) => {
      if (steers && event.type === "tool_execution_start" && event.toolCallId === "bash-1") {
        void engine.dispatch({ type: "steer", text: "and mind the gap" });
        void engine.dispatch({ type: "follow_up", text: "and then rest" });
      }
      if (seen++ !== index) return;
      isReached = true;
      void engine.dispatch({ type: "abort" });
    });
    await booted.prompt("go");
    end();
    expect(await booted.prompt("go on")).toMatchObject({ stopReason: "stop" });
    for (const { refusal } of set.model.requests) expect(refusal).toBeUndefined();
    kept = structuredClone(engine.snapshot().session.messages);
  }
  await using again = await set.boot({ session: { kind: "continue" } });
  expect(again.engine.snapshot().session.messages as unknown).toEqual(kept);
  expect(await again.prompt("and on")).toMatchObject({ stopReason: "stop" });
  expect(set.model.requests.at(-1)!.refusal).toBeUndefined();
  return isReached;
}

test.each([false, true])(
  "every call has its result, and memory and file agree (steering: %p)",
  async (steers) => {
    let index = 0;
    while (await abortedAt(index, { steers })) index++;
    expect(index).toBeGreaterThan(30);
  },
  60_000,
);
