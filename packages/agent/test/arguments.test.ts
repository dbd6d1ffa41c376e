/** Arguments on their way from a strict request to the tool: nulls that mean nothing, text that is no JSON. */

import { modelOf, providers, stream } from "@omp/ai";
import type { Message } from "@omp/ai/schema";
import { systemClock, Type } from "@omp/std";
import { callTool, say, scriptedModel, turn, type TurnSource } from "@omp/testkit";
import { expect, test } from "bun:test";
import { runLoop, textOutput, toolDefiner } from "../src/index.ts";

interface Hosts {
  readonly given: object[];
}

const input = Type.Object({ command: Type.String(), cwd: Type.Optional(Type.String()) });

const shell = toolDefiner<Hosts>()<typeof input, "given">({
  name: "shell",
  label: "shell",
  prompt: "Runs it.",
  input,
  tier: "read",
  concurrency: "shared",
  load: () =>
    Promise.resolve(async (call, _call, { given }) => {
      given.push(call);
      return textOutput("ran");
    }),
});

/** One call of the tool, with the request it answered and what the model was told. */
async function play(...turns: TurnSource[]) {
  await using server = await scriptedModel(turns);
  const openai = providers.find(({ id }) => id === "openai");
  const facts = modelOf(openai!, openai!.models[0]!.id, server.environment());
  const model = { ...facts, api: "openai-completions" };
  const schema = { name: "shell", description: "Runs it.", parameters: input, strict: true };
  const given: object[] = [];
  const messages: Message[] = [{ role: "user", content: "go", timestamp: 0 }];
  await runLoop(
    messages,
    {
      tools: new Map([["shell", shell]]),
      hosts: () => Promise.resolve({ given }),
      cwd: "/",
      clock: systemClock,
      gate: { decide: () => Promise.resolve({ allowed: true }) },
      emit: () => {},
      stream: (sent, signal) =>
        stream(
          { model, systemPrompt: "", messages: sent, tools: [schema] },
          { apiKey: "key", signal, clock: systemClock },
        ),
    },
    new AbortController().signal,
  );
  return { given, results: messages.filter(({ role }) => role === "toolResult"), server };
}

test("SN-33 null for what was optional before strict is as good as not given, request to run", async () => {
  const { given, results, server } = await play(
    turn(callTool("shell", { command: "ls", cwd: null })),
    turn(say("done")),
  );
  expect(server.requests[0]?.body).toMatchObject({
    tools: [{ function: { strict: true, parameters: { required: ["command", "cwd"] } } }],
  });
  expect(given).toEqual([{ command: "ls" }]);
  expect(results).toMatchObject([{ isError: false }]);
});

test("STRM-20 arguments that never became JSON do not run the tool; the model is told", async () => {
  const { given, results, server } = await play(
    turn(callTool("shell", '{"command":')),
    turn(say("sorry")),
  );
  expect(given).toEqual([]);
  expect(results).toMatchObject([{ isError: true, toolName: "shell" }]);
  expect(JSON.stringify(results)).toMatch(/arguments/i);
  expect(server.requests).toHaveLength(2);
});
