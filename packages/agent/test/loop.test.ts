/** The loop against a scripted model: turns, tool calls side by side or alone, failures, aborts. */

import { modelOf, providers, stream } from "@omp/ai";
import type { Message } from "@omp/ai/schema";
import { sleep, systemClock, Type } from "@omp/std";
import { callTool, fail, say, scriptedModel, turn, type TurnSource } from "@omp/testkit";
import { expect, test } from "bun:test";
import {
  runLoop,
  textOutput,
  ToolFailure,
  toolDefiner,
  type AgentEvent,
  type Tool,
} from "../src/index.ts";

interface Hosts {
  readonly diary: string[];
}

const defineTool = toolDefiner<Hosts>();
const input = Type.Object({ name: Type.String(), ms: Type.Optional(Type.Integer()) });

/** Notes when it starts and ends; waits `ms`; fails on the name "bad". */
function diaryTool(name: string, concurrency: "shared" | "exclusive"): Tool<Hosts> {
  return defineTool<typeof input, "diary">({
    name,
    label: name,
    prompt: name,
    input,
    tier: "read",
    concurrency,
    load: () =>
      Promise.resolve(async (given, call, { diary }) => {
        diary.push(`+${given.name}`);
        await sleep(systemClock, given.ms ?? 0, call.signal);
        diary.push(`-${given.name}`);
        if (given.name === "bad") throw new ToolFailure("that went wrong");
        if (given.name === "bug") throw new TypeError("a mistake of ours");
        return textOutput(`did ${given.name}`);
      }),
  });
}

async function play(
  turns: TurnSource[],
  { abortOn, refuse = [] }: { abortOn?: AgentEvent["type"]; refuse?: string[] } = {},
) {
  await using model = await scriptedModel(turns);
  const diary: string[] = [];
  const events: AgentEvent[] = [];
  const abort = new AbortController();
  const [anthropic] = providers;
  const target = modelOf(anthropic!, "claude-test", model.environment());
  const tools = [diaryTool("shared", "shared"), diaryTool("alone", "exclusive")];
  const messages: Message[] = [{ role: "user", content: "go", timestamp: 0 }];
  const end = await runLoop(
    messages,
    {
      tools: new Map(tools.map((tool) => [tool.name, tool])),
      hosts: () => Promise.resolve({ diary }),
      cwd: "/",
      clock: systemClock,
      gate: {
        decide: ({ toolName }) =>
          Promise.resolve(
            refuse.includes(toolName) ? { allowed: false, reason: "not today" } : { allowed: true },
          ),
      },
      emit: (event) => {
        events.push(event);
        if (event.type === abortOn) abort.abort();
      },
      stream: (sent, signal) =>
        stream(
          { model: target, systemPrompt: "", messages: sent, tools: [] },
          { apiKey: "key", signal, clock: systemClock },
        ),
    },
    abort.signal,
  );
  const results = messages.flatMap((message) =>
    message.role === "toolResult"
      ? [{ id: message.toolCallId, isError: message.isError, text: textOf(message) }]
      : [],
  );
  return { end, diary, events, messages, results, requests: model.requests.length };
}

const textOf = (message: Extract<Message, { role: "toolResult" }>) =>
  message.content.map((block) => (block.type === "text" ? block.text : "")).join("");

test("shared calls run side by side, an exclusive one alone and in its place", async () => {
  const { diary, requests } = await play([
    turn(
      callTool("shared", { name: "slow", ms: 30 }),
      callTool("shared", { name: "quick" }),
      callTool("alone", { name: "write" }),
      callTool("shared", { name: "after" }),
    ),
    turn(say("done")),
  ]);
  expect(diary.slice(0, 2).toSorted()).toEqual(["+quick", "+slow"]);
  expect(diary.slice(2)).toEqual(["-quick", "-slow", "+write", "-write", "+after", "-after"]);
  expect(requests).toBe(2);
});

test("a failure, a bug, a refusal, wrong arguments and an unknown tool are results the model can read", async () => {
  const { results, end } = await play(
    [
      turn(
        callTool("shared", { name: "bad" }, "bad"),
        callTool("shared", { name: "bug" }, "bug"),
        callTool("shared", { name: 7 }, "number"),
        callTool("shared", {}, "missing"),
        callTool("shared", '{"name": "cut', "broken"),
        callTool("nothing", {}, "unknown"),
        callTool("alone", { name: "x" }, "refused"),
      ),
      turn(say("I see")),
    ],
    { refuse: ["alone"] },
  );
  const byId = new Map(results.map(({ id, ...result }) => [id, result]));
  expect(byId.get("bad")).toEqual({ isError: true, text: "that went wrong" });
  expect(byId.get("bug")!.text).toBe("The tool shared failed unexpectedly: a mistake of ours");
  expect(byId.get("number")).toEqual({ isError: false, text: "did 7" });
  expect(byId.get("missing")!.text).toStartWith("Invalid arguments for shared:");
  expect(byId.get("broken")!.text).toContain("not valid JSON");
  expect(byId.get("unknown")!.text).toBe(
    "There is no tool named nothing. Available: shared, alone.",
  );
  expect(byId.get("refused")).toEqual({ isError: true, text: "not today" });
  expect(end.message.stopReason).toBe("stop");
});

test("null for an optional argument is as good as none", async () => {
  const { results } = await play([
    turn(callTool("shared", { name: "x", ms: null })),
    turn(say("ok")),
  ]);
  expect(results).toMatchObject([{ isError: false, text: "did x" }]);
});

test("an abort during the tools: every call has a result, none starts any more, no further request", async () => {
  const { end, results, diary, requests } = await play(
    [
      turn(
        callTool("alone", { name: "first", ms: 60_000 }, "first"),
        callTool("alone", { name: "second" }, "second"),
      ),
      turn(say("never")),
    ],
    { abortOn: "tool_execution_start" },
  );
  expect(diary).not.toContain("+second");
  expect(results.map(({ id }) => id)).toEqual(["first", "second"]);
  expect(requests).toBe(1);
  expect(end.message.stopReason).toBe("toolUse");
});

test("STRM-29 an abort during the answer keeps what came, announced as aborted, unsent later", async () => {
  const { end, messages, events } = await play(
    [turn(say("I have begun")).with({ fault: { kind: "silence", atByte: 700 } })],
    { abortOn: "message_update" },
  );
  expect(end.message).toMatchObject({ stopReason: "aborted", errorMessage: "Request was aborted" });
  expect(end.fault).toBeUndefined();
  expect(messages).toHaveLength(1);
  const types = events.map(({ type }) => type);
  expect(types.slice(0, 2)).toEqual(["turn_start", "message_start"]);
  expect(types.slice(-2)).toEqual(["message_end", "turn_end"]);
  expect(types.slice(2, -2).every((type) => type === "message_update")).toBe(true);
});

test("a failed request ends the loop with its fault", async () => {
  const { end, events } = await play([fail(429, { headers: { "retry-after": "3" } })]);
  expect(end.fault).toEqual({ kind: "rate-limit", retryAfterMs: 3000 });
  expect(events.map(({ type }) => type)).toEqual([
    "turn_start",
    "message_start",
    "message_end",
    "turn_end",
  ]);
});
