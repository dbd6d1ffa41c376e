/** Amazon Bedrock Converse, streaming: POST /model/<id>/converse-stream. */

import { refuseBedrock } from "../rules/bedrock-converse-stream.ts";
import type { Block, Stop } from "../turn.ts";
import { awsMessage } from "./aws-event-stream.ts";
import { piecesOf } from "./pieces.ts";
import type { Frame, PlainAnswer, Wire, WireRequest } from "./wire.ts";

const STOP_REASON: Record<Stop, string> = {
  stop: "end_turn",
  length: "max_tokens",
  toolUse: "tool_use",
  refused: "content_filtered",
};

/** The vendor pads its events, so that their lengths say nothing about the words in them. */
const PADDING = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The longest half of a message must be filled, for its checksum to be looked at. */
const GARBAGE = new Uint8Array(4096).fill(0xff);

export const bedrockConverseStream: Wire = {
  id: "bedrock-converse-stream",
  contentType: "application/vnd.amazon.eventstream",
  requestIdHeader: "x-amzn-requestid",
  garbage: GARBAGE,
  matches: (path) => /\/model\/[^/]+\/converse-stream$/.test(path),
  refuse: refuseBedrock,
  frames: (answer, request) => ({
    open: [event("messageStart", { role: "assistant", p: PADDING })],
    content: answer.blocks.flatMap((block, index) => blockFrames(block, index, answer, request)),
    close: [
      event("messageStop", { stopReason: STOP_REASON[answer.stop], p: PADDING }),
      event("metadata", { usage: usageOf(answer), metrics: { latencyMs: 12 } }),
    ],
  }),
  errorFrame: (type, message) =>
    awsMessage(
      {
        ":exception-type": EXCEPTION_BY_TYPE[type] ?? type,
        ":content-type": "application/json",
        ":message-type": "exception",
      },
      JSON.stringify({ message }),
    ),
  errorBody: (_status, message) => JSON.stringify({ message }),
};

/** Scripts name errors as Anthropic does; this vendor has its own words for the same. */
const EXCEPTION_BY_TYPE: Readonly<Record<string, string>> = {
  api_error: "internalServerException",
  invalid_request_error: "validationException",
  overloaded_error: "serviceUnavailableException",
  rate_limit_error: "throttlingException",
  server_error: "internalServerException",
};

/** Only tool calls are announced; text and thoughts begin with their first piece. */
function blockFrames(
  block: Block,
  contentBlockIndex: number,
  { textPiece, argumentPiece }: PlainAnswer,
  { serial }: WireRequest,
): Frame[] {
  const delta = (change: object) =>
    event("contentBlockDelta", { contentBlockIndex, delta: change, p: PADDING });
  const stop = event("contentBlockStop", { contentBlockIndex, p: PADDING });
  switch (block.kind) {
    case "text":
      return [...piecesOf(block.text, textPiece).map((text) => delta({ text })), stop];
    case "thinking":
      return [
        ...piecesOf(block.text, textPiece).map((text) => delta({ reasoningContent: { text } })),
        delta({ reasoningContent: { signature: block.signature } }),
        stop,
      ];
    case "hidden-thinking":
      return [delta({ reasoningContent: { redactedContent: block.data } }), stop];
    case "tool-call": {
      const { name } = block;
      const toolUseId =
        block.id ?? `tooluse_${String(serial).padStart(4, "0")}_${contentBlockIndex}`;
      const start = { toolUse: { toolUseId, name } };
      return [
        event("contentBlockStart", { contentBlockIndex, start, p: PADDING }),
        ...piecesOf(block.args, argumentPiece).map((input) => delta({ toolUse: { input } })),
        stop,
      ];
    }
  }
}

/** `inputTokens` leaves out what came from the cache, as our own numbers do. */
function usageOf({ usage }: PlainAnswer) {
  return {
    inputTokens: usage.input,
    outputTokens: usage.output,
    totalTokens: usage.input + usage.output + usage.cacheRead + usage.cacheWrite,
    cacheReadInputTokens: usage.cacheRead,
    cacheWriteInputTokens: usage.cacheWrite,
  };
}

function event(type: string, fields: object): Frame {
  return awsMessage(
    { ":event-type": type, ":content-type": "application/json", ":message-type": "event" },
    JSON.stringify(fields),
  );
}
