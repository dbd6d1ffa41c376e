/** The model of the benches: answers at once with prepared bytes and notes when each request came. */

export interface ModelServer extends Disposable {
  readonly url: string;
  /** `performance.now()` of each request since the last `expect`. */
  readonly arrivals: readonly number[];
  /** From now on: this many shell calls, then a last word. */
  expect(shellCalls: number): void;
}

export function startModelServer(): ModelServer {
  let arrivals: number[] = [];
  let shellCalls = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      arrivals.push(performance.now());
      await request.arrayBuffer();
      const turn = arrivals.length;
      const body = turn <= shellCalls ? shellCall(turn) : lastWord();
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    get arrivals() {
      return arrivals;
    },
    expect(calls) {
      arrivals = [];
      shellCalls = calls;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function shellCall(turn: number): string {
  const input = JSON.stringify({ command: `echo turn ${turn}` });
  return stream("tool_use", [
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: `toolu_${turn}`, name: "bash", input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: input },
    },
  ]);
}

function lastWord(): string {
  return stream("end_turn", [
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hello" } },
  ]);
}

function stream(
  stopReason: string,
  block: readonly { type: string; [field: string]: unknown }[],
): string {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = {
    id: "msg_bench",
    type: "message",
    role: "assistant",
    content: [],
    model: "bench",
    stop_reason: null,
    usage,
  };
  const events = [
    { type: "message_start", message },
    ...block,
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stopReason }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
