/** OpenAI Chat Completions, streaming: POST /v1/chat/completions, and the many servers that speak it. */

import { field } from "../json.ts";
import { refuseOpenaiCompletions } from "../rules/openai-completions.ts";
import type { Block, Stop } from "../turn.ts";
import { piecesOf } from "./pieces.ts";
import type { Frame, PlainAnswer, Wire, WireRequest } from "./wire.ts";

const CREATED = 1_700_000_000;

const FINISH_REASON: Record<Stop, string> = {
  stop: "stop",
  length: "length",
  toolUse: "tool_calls",
  refused: "content_filter",
};

export const openaiCompletions: Wire = {
  id: "openai-completions",
  contentType: "text/event-stream; charset=utf-8",
  requestIdHeader: "x-request-id",
  matches: (path) => path.endsWith("/chat/completions"),
  refuse: refuseOpenaiCompletions,
  frames(answer, request) {
    const wantsUsage = field(field(request.body, "stream_options"), "include_usage") === true;
    const chunk = (delta: object, finish: string | null = null) =>
      chunkFrame(request, {
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        // With include_usage every chunk but the last carries a null.
        ...(wantsUsage ? { usage: null } : {}),
      });
    return {
      open: [chunk({ role: "assistant", content: "", refusal: null })],
      content: deltasOf(answer, request).map((delta) => chunk(delta)),
      close: [
        chunk({}, FINISH_REASON[answer.stop]),
        ...(wantsUsage ? [chunkFrame(request, { choices: [], usage: usageOf(answer) })] : []),
        "data: [DONE]\n\n",
      ],
    };
  },
  errorFrame: (type, message) => frame({ error: { message, type, param: null, code: null } }),
  errorBody: (status, message) => JSON.stringify({ error: { message, ...errorKind(status) } }),
};

function deltasOf(answer: PlainAnswer, request: WireRequest): object[] {
  let calls = 0;
  return answer.blocks.flatMap((block) =>
    block.kind === "tool-call"
      ? toolCallDeltas(block, calls++, answer, request)
      : textDeltas(block, answer),
  );
}

function textDeltas(
  block: Exclude<Block, { kind: "tool-call" }>,
  { textPiece }: PlainAnswer,
): object[] {
  switch (block.kind) {
    case "text":
      return piecesOf(block.text, textPiece).map((content) => ({ content }));
    case "thinking":
      return piecesOf(block.text, textPiece).map((reasoning_content) => ({ reasoning_content }));
    case "hidden-thinking":
      return [];
  }
}

function toolCallDeltas(
  block: Extract<Block, { kind: "tool-call" }>,
  index: number,
  { argumentPiece }: PlainAnswer,
  { serial }: WireRequest,
): object[] {
  const id = block.id ?? `call_${String(serial).padStart(4, "0")}_${index}`;
  const head = { index, id, type: "function", function: { name: block.name, arguments: "" } };
  const pieces = piecesOf(block.args, argumentPiece);
  return [
    { tool_calls: [head] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

/** `prompt_tokens` counts cached tokens too, unlike our own numbers. */
function usageOf({ usage, blocks }: PlainAnswer) {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const thought = blocks.some((block) => block.kind === "thinking");
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: thought ? Math.floor(usage.output / 2) : 0 },
  };
}

function chunkFrame({ serial, body }: WireRequest, fields: object): Frame {
  return frame({
    id: `chatcmpl-${String(serial).padStart(24, "0")}`,
    object: "chat.completion.chunk",
    created: CREATED,
    model: field(body, "model"),
    service_tier: "default",
    system_fingerprint: null,
    ...fields,
  });
}

function frame(value: object): Frame {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function errorKind(status: number) {
  if (status === 401)
    return { type: "invalid_request_error", param: null, code: "invalid_api_key" };
  if (status === 429) return { type: "requests", param: null, code: "rate_limit_exceeded" };
  if (status >= 500) return { type: "server_error", param: null, code: null };
  return { type: "invalid_request_error", param: null, code: null };
}
