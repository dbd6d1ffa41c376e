/** What is said during a run, and the order of results: the loop against a scripted model. */

import { modelOf, providers, stream } from "@omp/ai";
import type { Message } from "@omp/ai/schema";
import { sleep, systemClock, Type } from "@omp/std";
import { callTool, fail, say, scriptedModel, turn, type TurnSource } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import {
  MessageQueue,
  runLoop,
  textOutput,
  toolDefiner,
  type AgentEvent,
  type QueueModes,
  type QueueName,
} from "../src/index.ts";

const USUAL: QueueModes = {
  steeringMode: "one-at-a-time",
  followUpMode: "one-at-a-time",
  interruptMode: "immediate",
};

const input = Type.Object({ name: Type.String(), ms: Type.Optional(Type.Integer()) });
const tools = (["shared", "exclusive"] as const).map((concurrency) =>
  toolDefiner<object>()({
    name: concurrency,
    label: concurrency,
    prompt: concurrency,
    input,
    tier: "read",
    concurrency,
    load: () =>
      Promise.resolve(async ({ name, ms = 0 }, call) => {
        await sleep(systemClock, ms, call.signal);
        return textOutput(`did ${name}`);
      }),
  }),
);

/** `say` is called with each event and may queue something. */
async function play(
  turns: TurnSource[],
  hear: (event: AgentEvent, queue: MessageQueue<string>) => void,
  modes: Partial<QueueModes> = {},
) {
  await using model = await scriptedModel(turns);
  const queue = new MessageQueue<string>({ ...USUAL, ...modes });
  const messages: Message[] = [{ role: "user", content: "go", timestamp: 0 }];
  const events: AgentEvent[] = [];
  const target = modelOf(providers[0]!, "claude-test", model.environment());
  const abort = new AbortController();
  const end = await runLoop(
    messages,
    {
      tools: new Map(tools.map((tool) => [tool.name, tool])),
      hosts: () => Promise.resolve({}),
      cwd: "/",
      clock: systemClock,
      gate: { decide: () => Promise.resolve({ allowed: true }) },
      inbox: {
        get interrupts() {
          return queue.interrupts;
        },
        deliver(name: QueueName) {
          const due = queue.take(name);
          for (const content of due) messages.push({ role: "user", content, timestamp: 0 });
          return due.length > 0;
        },
      },
      emit(event) {
        events.push(event);
        hear(event, queue);
      },
      stream: (sent, signal) =>
        stream(
          { model: target, systemPrompt: "", messages: sent, tools: [] },
          { apiKey: "key", signal, clock: systemClock },
        ),
    },
    abort.signal,
  );
  return { end, events, queue, told: messages.slice(1).map(inShort), requests: model.requests };
}

function inShort(message: Message): string {
  if (message.role === "toolResult") return `${message.toolCallId}: ${textIn(message.content)}`;
  if (message.role === "assistant") return `[${message.content.map(({ type }) => type).join(" ")}]`;
  return textIn(message.content);
}

function textIn(content: Message["content"]): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** Calls `act` with the first event that fits. */
function once(
  fits: (event: AgentEvent) => boolean,
  act: (queue: MessageQueue<string>) => void,
): (event: AgentEvent, queue: MessageQueue<string>) => void {
  let isDone = false;
  return (event, queue) => {
    if (isDone || !fits(event)) return;
    isDone = true;
    act(queue);
  };
}

const three = turn(
  callTool("exclusive", { name: "one" }, "one"),
  callTool("exclusive", { name: "two" }, "two"),
  callTool("exclusive", { name: "three" }, "three"),
);
const duringSecond = once(
  (event) => event.type === "tool_execution_start" && event.toolCallId === "two",
  (queue) => queue.add("steer", "stop that"),
);

describe("steering", () => {
  test("STRM-27 finished results are kept, the rest does not run, the text is in the next request", async () => {
    const { told, requests, events } = await play([three, turn(say("ok"))], duringSecond);
    expect(told).toEqual([
      "[toolCall toolCall toolCall]",
      "one: did one",
      "two: did two",
      "three: Not run: the user said something first. Read it, then decide again.",
      "stop that",
      "[text]",
    ]);
    expect(JSON.stringify(requests[1]!.body)).toContain("stop that");
    const started = events.flatMap((event) =>
      event.type === "tool_execution_start" ? [event.toolCallId] : [],
    );
    expect(started).toEqual(["one", "two"]);
  });

  test("in mode wait all calls run before it is heard", async () => {
    const hear = once(
      ({ type }) => type === "tool_execution_start",
      (queue) => queue.add("steer", "later"),
    );
    const { told } = await play([three, turn(say("ok"))], hear, { interruptMode: "wait" });
    expect(told.slice(1, 5)).toEqual(["one: did one", "two: did two", "three: did three", "later"]);
  });

  test.each([
    ["one-at-a-time", ["a", "[text]", "b", "[text]", "c", "[text]", "d", "[text]"]],
    ["all", ["a", "b", "[text]", "c", "d", "[text]"]],
  ] as const)("%s: steering comes first, follow-ups when the model rests", async (mode, told) => {
    const hear = once(
      ({ type }) => type === "message_start",
      (queue) => {
        queue.add("followUp", "c");
        queue.add("followUp", "d");
        queue.add("steer", "a");
        queue.add("steer", "b");
      },
    );
    const turns = Array.from({ length: told.filter((one) => one === "[text]").length + 1 }, () =>
      turn(say("ok")),
    );
    const modes = { steeringMode: mode, followUpMode: mode };
    const played = await play(turns, hear, modes);
    expect(played.told.slice(1)).toEqual([...told]);
    expect(played.queue.isEmpty).toBe(true);
  });

  test("what was not delivered when the run failed still waits", async () => {
    const hear = once(
      ({ type }) => type === "turn_start",
      (queue) => {
        queue.add("steer", "a");
        queue.add("followUp", "b");
      },
    );
    const { end, queue } = await play([fail(400)], hear);
    expect(end.message.stopReason).toBe("error");
    expect(queue.clear()).toEqual({ steer: ["a"], followUp: ["b"] });
    expect(queue.isEmpty).toBe(true);
  });
});

test("results stand in the order of their calls, whichever was ready first", async () => {
  const { told, events } = await play(
    [
      turn(
        callTool("shared", { name: "slow", ms: 40 }, "slow"),
        callTool("shared", { name: "quick" }, "quick"),
      ),
      turn(say("ok")),
    ],
    () => {},
  );
  expect(told.slice(1, 3)).toEqual(["slow: did slow", "quick: did quick"]);
  const ends = events.flatMap((event) =>
    event.type === "tool_execution_end" ? [event.toolCallId] : [],
  );
  expect(ends).toEqual(["quick", "slow"]);
  const turnEnd = events.find((event) => event.type === "turn_end");
  expect(turnEnd!.toolResults.map(({ toolCallId }) => toolCallId)).toEqual(["slow", "quick"]);
});

test("calls of an answer that broke off have their end told, and the model does not see them", async () => {
  const broken = turn(callTool("shared", { name: "never" }, "never")).with({
    fault: { kind: "in-band-error", type: "overloaded_error", message: "busy", afterFrames: 5 },
  });
  const { end, events, told } = await play([broken], () => {});
  expect(end.message.stopReason).toBe("error");
  const results = events.flatMap((event) =>
    event.type === "message_end" && event.message.role === "toolResult" ? [event.message] : [],
  );
  expect(results).toMatchObject([{ toolCallId: "never", isError: true }]);
  expect(told).toEqual([]);
});
