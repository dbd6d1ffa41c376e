/** The frames of the Responses wire, over real HTTP. */

import { expect, test } from "bun:test";
import {
  callTool,
  fail,
  say,
  scriptedModel,
  think,
  thinkHidden,
  turn,
  type Answer,
} from "../index.ts";

test("reasoning, text and calls are the vendor's events in the vendor's order", async () => {
  const answer = turn(
    think("hm", "sealed"),
    thinkHidden("dark"),
    say("hello"),
    callTool("read", { path: "a" }, "call_x"),
  ).with({
    usage: { input: 10, output: 20, cacheRead: 30, cacheWrite: 5 },
    textPiece: 3,
    argumentPiece: 8,
  });
  const all = await events(answer);
  expect(all.map(({ type }) => type.replace("response.", ""))).toEqual([
    ...["created", "in_progress", "output_item.added", "reasoning_summary_part.added"],
    ...["reasoning_summary_text.delta", "reasoning_summary_text.done"],
    ...["reasoning_summary_part.done", "output_item.done"],
    ...["output_item.added", "output_item.done"],
    ...["output_item.added", "content_part.added", "output_text.delta", "output_text.delta"],
    ...["output_text.done", "content_part.done", "output_item.done"],
    ...["output_item.added", "function_call_arguments.delta", "function_call_arguments.delta"],
    ...["function_call_arguments.done", "output_item.done", "completed"],
  ]);
  expect(all.map(({ sequence_number }) => sequence_number)).toEqual([...all.keys()]);
  expect(all[2]).toMatchObject({ output_index: 0, item: { type: "reasoning", summary: [] } });
  expect(all[10]).toMatchObject({ output_index: 2, item: { status: "in_progress", content: [] } });
  const text = { type: "output_text", annotations: [], logprobs: [], text: "hello" };
  const output = [
    {
      id: "rs_0000_0",
      type: "reasoning",
      encrypted_content: "sealed",
      summary: [{ type: "summary_text", text: "hm" }],
    },
    { id: "rs_0000_1", type: "reasoning", encrypted_content: "dark", summary: [] },
    {
      id: "msg_0000_2",
      type: "message",
      status: "completed",
      role: "assistant",
      content: [text],
    },
    {
      id: "fc_0000_3",
      type: "function_call",
      status: "completed",
      call_id: "call_x",
      name: "read",
      arguments: '{"path":"a"}',
    },
  ];
  const done = all.filter(({ type }) => type === "response.output_item.done");
  expect(done.map(({ item }) => item)).toEqual(output);
  expect(all.at(-1)?.response).toMatchObject({
    id: "resp_000000000000000000000000",
    status: "completed",
    output,
    usage: {
      input_tokens: 45,
      input_tokens_details: { cached_tokens: 30, cache_write_tokens: 5 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 10 },
      total_tokens: 65,
    },
  });
});

test("thoughts are sealed only for those who ask, and a call's id may name its item", async () => {
  const [answer] = [turn(think("hm", "sealed"), callTool("read", {}, "call_1|fc_1"))];
  const all = await events(answer, { include: [] });
  expect(JSON.stringify(all)).not.toContain("sealed");
  expect(all.at(-2)?.item).toMatchObject({ call_id: "call_1", id: "fc_1" });
});

test("the event line names the type of its data", async () => {
  await using model = await scriptedModel([turn(say("x"))]);
  const response = await post(model.url, {});
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const pairs = [...(await response.text()).matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)];
  expect(pairs.length).toBe(9);
  for (const [, name, json] of pairs) expect(JSON.parse(json!).type).toBe(name);
});

test.each([
  ["stop", "completed", null],
  ["toolUse", "completed", null],
  ["length", "incomplete", { reason: "max_output_tokens" }],
  ["refused", "incomplete", { reason: "content_filter" }],
] as const)("stop %s is %s", async (stop, status, incomplete_details) => {
  const last = (await events(turn(say("x")).with({ stop }))).at(-1);
  expect(last?.type).toBe(`response.${status}`);
  expect(last?.response).toMatchObject({ status, incomplete_details });
});

test("failures have the vendor's shapes, before the stream and in it", async () => {
  await using model = await scriptedModel([
    fail(429, { message: "because" }),
    turn(say("x")).with({ fault: { kind: "in-band-error", type: "server_error", message: "oh" } }),
  ]);
  const refused = await post(model.url, {});
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { error: { message: "because", type: "requests", param: null, code: "rate_limit_exceeded" } },
  ]);
  const broken = await (await post(model.url, {})).text();
  expect(broken).toEndWith(
    'event: error\ndata: {"type":"error","code":"server_error","message":"oh","param":null}\n\n',
  );
});

interface WireEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly item?: object;
  readonly response?: object;
}

async function events(answer: Answer, change: object = {}): Promise<WireEvent[]> {
  await using model = await scriptedModel([answer]);
  const text = await (await post(model.url, change)).text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!));
}

function post(url: string, change: object): Promise<Response> {
  const body = {
    model: "gpt-5",
    stream: true,
    input: "hi",
    include: ["reasoning.encrypted_content"],
    ...change,
  };
  const headers = { authorization: "Bearer k" };
  return fetch(`${url}/v1/responses`, { method: "POST", headers, body: JSON.stringify(body) });
}
