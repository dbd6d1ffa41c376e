/** OpenAI Responses, streaming: POST /v1/responses, and the same on Azure and behind ChatGPT. */

import { field, listOf } from "../json.ts";
import { refuseOpenaiResponses } from "../rules/openai-responses.ts";
import type { Block } from "../turn.ts";
import { openaiCompletions } from "./openai-completions.ts";
import { piecesOf } from "./pieces.ts";
import type { Frame, PlainAnswer, Wire, WireRequest } from "./wire.ts";

const CREATED = 1_700_000_000;

export const openaiResponses: Wire = {
  id: "openai-responses",
  contentType: "text/event-stream; charset=utf-8",
  requestIdHeader: "x-request-id",
  matches: (path) => path.endsWith("/responses"),
  refuse: refuseOpenaiResponses,
  frames(answer, request) {
    const items = answer.blocks.map((block, index) => itemOf(block, index, request));
    let sequence = 0;
    const framed = (events: readonly Event[]) =>
      events.map(([type, fields]) => event(type, { sequence_number: sequence++, ...fields }));
    const started = responseOf(request, { status: "in_progress" });
    return {
      open: framed([
        ["response.created", { response: started }],
        ["response.in_progress", { response: started }],
      ]),
      content: framed(items.flatMap((item, index) => itemEvents(item, index, answer))),
      close: framed([ending(answer, items, request)]),
    };
  },
  errorFrame: (code, message) => event("error", { code, message, param: null }),
  errorBody: openaiCompletions.errorBody,
};

type Event = readonly [type: string, fields: object];

/** An item as it is when it is done, and how it grows to that. */
interface Item {
  readonly done: { readonly id: string } & Readonly<Record<string, unknown>>;
  /** What is empty or absent at its beginning. */
  readonly begun: object;
  readonly growth: (at: object, answer: PlainAnswer) => readonly Event[];
}

/** The vendor's numbers, ending and all that was said; the blocks' order is the items' order. */
function ending(answer: PlainAnswer, items: readonly Item[], request: WireRequest): Event {
  const output = items.map(({ done }) => done);
  const usage = usageOf(answer);
  const response = (fields: object) => responseOf(request, { output, usage, ...fields });
  switch (answer.stop) {
    case "stop":
    case "toolUse":
      return ["response.completed", { response: response({ status: "completed" }) }];
    case "length":
      return ["response.incomplete", { response: response(incomplete("max_output_tokens")) }];
    case "refused":
      return ["response.incomplete", { response: response(incomplete("content_filter")) }];
  }
}

function incomplete(reason: string) {
  return { status: "incomplete", incomplete_details: { reason } };
}

function itemEvents(item: Item, output_index: number, answer: PlainAnswer): Event[] {
  const at = { item_id: item.done.id, output_index };
  return [
    ["response.output_item.added", { output_index, item: { ...item.done, ...item.begun } }],
    ...item.growth(at, answer),
    ["response.output_item.done", { output_index, item: item.done }],
  ];
}

function itemOf(block: Block, index: number, request: WireRequest): Item {
  const place = `${String(request.serial).padStart(4, "0")}_${index}`;
  switch (block.kind) {
    case "text":
      return messageItem(block.text, `msg_${place}`);
    case "thinking":
      return reasoningItem(block.text, sealed(block.signature, request), `rs_${place}`);
    case "hidden-thinking":
      return reasoningItem("", sealed(block.data, request), `rs_${place}`);
    case "tool-call": {
      // An id with a bar names the call and its item, as clients join them.
      const [call_id = "", id = `fc_${place}`] = (block.id ?? `call_${place}`).split("|");
      return callItem(block.name, block.args, { call_id, id });
    }
  }
}

function messageItem(text: string, id: string): Item {
  const part = { type: "output_text", annotations: [], logprobs: [], text };
  return {
    done: { id, type: "message", status: "completed", role: "assistant", content: [part] },
    begun: { status: "in_progress", content: [] },
    growth: (item, { textPiece }) => {
      const at = { ...item, content_index: 0 };
      return [
        ["response.content_part.added", { ...at, part: { ...part, text: "" } }],
        ...piecesOf(text, textPiece).map((delta): Event => [
          "response.output_text.delta",
          { ...at, delta, logprobs: [] },
        ]),
        ["response.output_text.done", { ...at, text, logprobs: [] }],
        ["response.content_part.done", { ...at, part }],
      ];
    },
  };
}

function reasoningItem(text: string, encrypted: object, id: string): Item {
  const part = { type: "summary_text", text };
  return {
    done: { id, type: "reasoning", ...encrypted, summary: text === "" ? [] : [part] },
    begun: { summary: [] },
    growth: (item, { textPiece }) => {
      if (text === "") return [];
      const at = { ...item, summary_index: 0 };
      return [
        ["response.reasoning_summary_part.added", { ...at, part: { ...part, text: "" } }],
        ...piecesOf(text, textPiece).map((delta): Event => [
          "response.reasoning_summary_text.delta",
          { ...at, delta },
        ]),
        ["response.reasoning_summary_text.done", { ...at, text }],
        ["response.reasoning_summary_part.done", { ...at, part }],
      ];
    },
  };
}

function callItem(name: string, args: string, ids: { call_id: string; id: string }): Item {
  return {
    done: { type: "function_call", status: "completed", arguments: args, name, ...ids },
    begun: { status: "in_progress", arguments: "" },
    growth: (at, { argumentPiece }) => [
      ...piecesOf(args, argumentPiece).map((delta): Event => [
        "response.function_call_arguments.delta",
        { ...at, delta },
      ]),
      ["response.function_call_arguments.done", { ...at, arguments: args }],
    ],
  };
}

/** The thought itself leaves the vendor only sealed, and only for those who ask for it. */
function sealed(encrypted_content: string, { body }: WireRequest): object {
  const isAsked = listOf(field(body, "include")).includes("reasoning.encrypted_content");
  return isAsked ? { encrypted_content } : {};
}

/** `input_tokens` counts cached tokens too, unlike our own numbers. */
function usageOf({ usage, blocks }: PlainAnswer) {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  const thought = blocks.some(({ kind }) => kind === "thinking" || kind === "hidden-thinking");
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: thought ? Math.floor(usage.output / 2) : 0 },
    total_tokens: input + usage.output,
  };
}

function responseOf({ serial, body }: WireRequest, fields: object): object {
  return {
    id: `resp_${String(serial).padStart(24, "0")}`,
    object: "response",
    created_at: CREATED,
    error: null,
    incomplete_details: null,
    model: field(body, "model"),
    output: [],
    store: field(body, "store") ?? true,
    usage: null,
    ...fields,
  };
}

function event(type: string, fields: object): Frame {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
