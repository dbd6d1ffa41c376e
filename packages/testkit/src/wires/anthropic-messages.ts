/** Anthropic Messages, streaming: POST /v1/messages. */

import { field } from "../json.ts";
import { refuseAnthropic } from "../rules/anthropic-messages.ts";
import type { Block, Stop } from "../turn.ts";
import { piecesOf } from "./pieces.ts";
import type { Frame, PlainAnswer, Wire, WireRequest } from "./wire.ts";

const STOP_REASON: Record<Stop, string> = {
  stop: "end_turn",
  length: "max_tokens",
  toolUse: "tool_use",
  refused: "refusal",
};

const ERROR_TYPE: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

export const anthropicMessages: Wire = {
  id: "anthropic-messages",
  contentType: "text/event-stream; charset=utf-8",
  requestIdHeader: "request-id",
  matches: (path) => path.endsWith("/v1/messages"),
  refuse: refuseAnthropic,
  frames: (answer, request) => ({
    open: [messageStart(answer, request), event("ping", {})],
    content: answer.blocks.flatMap((block, index) => blockFrames(block, index, answer, request)),
    close: [messageDelta(answer), event("message_stop", {})],
  }),
  errorFrame: (type, message) => event("error", { error: { type, message } }),
  errorBody: (status, message) =>
    JSON.stringify({
      type: "error",
      error: { type: ERROR_TYPE[status] ?? fallbackErrorType(status), message },
    }),
};

function messageStart({ usage }: PlainAnswer, { serial, body }: WireRequest): Frame {
  return event("message_start", {
    message: {
      id: `msg_${String(serial).padStart(24, "0")}`,
      type: "message",
      role: "assistant",
      model: field(body, "model"),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...promptUsage(usage), output_tokens: Math.min(1, usage.output) },
    },
  });
}

function messageDelta({ stop, usage }: PlainAnswer): Frame {
  return event("message_delta", {
    delta: { stop_reason: STOP_REASON[stop], stop_sequence: null },
    usage: { ...promptUsage(usage), output_tokens: usage.output },
  });
}

function promptUsage(usage: PlainAnswer["usage"]) {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
  };
}

function blockFrames(
  block: Block,
  index: number,
  { textPiece, argumentPiece }: PlainAnswer,
  { serial }: WireRequest,
): Frame[] {
  const framed = (start: object, deltas: readonly object[]): Frame[] => [
    event("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
  switch (block.kind) {
    case "text":
      return framed(
        { type: "text", text: "" },
        piecesOf(block.text, textPiece).map((text) => ({ type: "text_delta", text })),
      );
    case "thinking":
      return framed({ type: "thinking", thinking: "", signature: "" }, [
        ...piecesOf(block.text, textPiece).map((thinking) => ({
          type: "thinking_delta",
          thinking,
        })),
        { type: "signature_delta", signature: block.signature },
      ]);
    case "hidden-thinking":
      return framed({ type: "redacted_thinking", data: block.data }, []);
    case "tool-call": {
      const id = block.id ?? `toolu_${String(serial).padStart(4, "0")}_${index}`;
      // The vendor's first delta is always empty, and is the only one when there are no arguments.
      const pieces = ["", ...(block.args === "{}" ? [] : piecesOf(block.args, argumentPiece))];
      return framed(
        { type: "tool_use", id, name: block.name, input: {} },
        pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
      );
    }
  }
}

function event(type: string, fields: object): Frame {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function fallbackErrorType(status: number): string {
  return status >= 500 ? "api_error" : "invalid_request_error";
}
