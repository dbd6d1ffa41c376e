/** Answers that must satisfy a schema. */

import { callTool, say, turn, type TurnSource } from "@omp/testkit";
import { expect, test } from "bun:test";
import { sent, stage } from "./stage.ts";

const person = {
  type: "object",
  properties: { name: { type: "string" }, age: { $ref: "#/$defs/age" } },
  required: ["name", "age"],
  additionalProperties: false,
  $defs: { age: { type: "integer", minimum: 0 } },
};

async function asked(turns: TurnSource[], outputSchema: Record<string, unknown> = person) {
  await using set = await stage(turns);
  await using booted = await set.boot();
  const result = await booted.engine
    .dispatch({ type: "prompt", text: "who?", outputSchema })
    .catch((error) => error);
  const offered = booted.engine.snapshot().tools.map(({ name }) => name);
  return { result, offered, model: set.model, requests: set.model.requests.length };
}

const ann = { name: "Ann", age: 7 };

test("the model gives its answer by a tool, and the run ends there", async () => {
  const { result, requests, offered, model } = await asked([
    turn(callTool("bash", { command: "echo look" })),
    turn(callTool("final_answer", ann)),
  ]);
  expect(result).toMatchObject({ stopReason: "stop", text: '{"name":"Ann","age":7}' });
  expect(requests).toBe(2);
  expect(sent(model, 0)).toContain('"name":"final_answer"');
  expect(offered).not.toContain("final_answer");
});

test("a model that only talks is made to call the tool", async () => {
  const { result, model } = await asked([
    turn(say("It is Ann.")),
    turn(callTool("final_answer", ann)),
  ]);
  expect(result).toMatchObject({ text: JSON.stringify(ann) });
  expect(model.requests[0]!.body).not.toHaveProperty("tool_choice");
  expect(model.requests[1]!.body).toMatchObject({
    tool_choice: { type: "tool", name: "final_answer" },
  });
  expect(sent(model, 1)).toContain("call the tool final_answer");
});

test("the reminder is kept in the session, out of sight, and is the same after a resume", async () => {
  await using set = await stage([
    turn(say("It is Ann.")),
    turn(callTool("final_answer", ann)),
    turn(say("ok")),
    turn(say("ok")),
  ]);
  {
    await using first = await set.boot();
    await first.engine.dispatch({ type: "prompt", text: "who?", outputSchema: person });
    await first.prompt("and?");
  }
  const reminders = (await set.entries()).filter(({ type }) => type === "custom_message");
  expect(reminders).toMatchObject([
    { customType: "reminder", display: false, attribution: "agent" },
  ]);
  await using second = await set.boot({ session: { kind: "continue" } });
  await second.prompt("again");
  const times = (request: number) =>
    sent(set.model, request).split("Give your final answer").length - 1;
  expect([times(0), times(1), times(2), times(3)]).toEqual([0, 1, 1, 1]);
});

test("a wrong answer is corrected three times; then the prompt fails and says why", async () => {
  const wrong = turn(callTool("final_answer", { name: "Ann", age: "very old" }));
  const mended = await asked([wrong, wrong, turn(say("hm")), turn(callTool("final_answer", ann))]);
  expect(mended.result).toMatchObject({ text: JSON.stringify(ann) });
  expect(sent(mended.model, 1)).toContain("Invalid arguments for final_answer");
  const { result, requests } = await asked([wrong, turn(say("hm")), wrong, wrong, wrong]);
  expect(result).toMatchObject({
    stopReason: "error",
    errorKind: "output-schema",
    errorMessage: "The model gave no answer that satisfies the output schema, after 3 corrections",
  });
  expect(requests).toBe(4);
});

test("a schema of something else than an object is met as well", async () => {
  const schema = { type: "array", items: { type: "string" }, minItems: 1 };
  const { result } = await asked(
    [
      turn(callTool("final_answer", { answer: [] })),
      turn(callTool("final_answer", { answer: ["a"] })),
    ],
    schema,
  );
  expect(result).toMatchObject({ text: '["a"]' });
});
