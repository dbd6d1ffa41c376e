/** Ollama's own chat, streaming: POST /api/chat, answered in JSON lines. */

import { ignore } from "@omp/std";
import { field, isObject, type JsonObject } from "../json.ts";
import { refuseOllama } from "../rules/ollama-chat.ts";
import type { Block, Stop } from "../turn.ts";
import { piecesOf } from "./pieces.ts";
import type { Frame, PlainAnswer, Wire, WireRequest } from "./wire.ts";

/** The server has no word for tools or refusals: a local model just ends. */
const DONE_REASON: Record<Stop, string> = {
  stop: "stop",
  length: "length",
  toolUse: "stop",
  refused: "stop",
};

export const ollamaChat: Wire = {
  id: "ollama-chat",
  contentType: "application/x-ndjson",
  requestIdHeader: "x-request-id",
  matches: (path) => path.endsWith("/api/chat"),
  refuse: refuseOllama,
  frames(answer, request) {
    const messages = answer.blocks.flatMap((block, index) =>
      messagesOf(block, index, answer, request),
    );
    return {
      open: [],
      content: messages.map((message, at) =>
        line(request, at, { message: { role: "assistant", ...message }, done: false }),
      ),
      close: [line(request, messages.length, lastOf(answer))],
    };
  },
  errorFrame: (_type, message) => `${JSON.stringify({ error: message })}\n`,
  errorBody: (_status, message) => JSON.stringify({ error: message }),
};

function messagesOf(
  block: Block,
  index: number,
  { textPiece }: PlainAnswer,
  { serial }: WireRequest,
): object[] {
  switch (block.kind) {
    case "text":
      return piecesOf(block.text, textPiece).map((content) => ({ content }));
    case "thinking":
      return piecesOf(block.text, textPiece).map((thinking) => ({ content: "", thinking }));
    case "hidden-thinking":
      return [];
    case "tool-call": {
      const args = argsOf(block.args);
      // What the server cannot read as a call stays what the model wrote.
      if (!args) return [{ content: block.args }];
      const id = block.id ?? `call_${String(serial).padStart(4, "0")}_${index}`;
      const called = { index, name: block.name, arguments: args };
      return [{ content: "", tool_calls: [{ id, function: called }] }];
    }
  }
}

function argsOf(text: string): JsonObject | undefined {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    ignore(error, "a script may ask for arguments that are not JSON");
    return undefined;
  }
}

/** The server counts the whole prompt, whatever it kept of it from before. */
function lastOf({ stop, usage }: PlainAnswer): object {
  return {
    message: { role: "assistant", content: "" },
    done: true,
    done_reason: DONE_REASON[stop],
    total_duration: 4_883_583_458,
    load_duration: 1_334_875,
    prompt_eval_count: usage.input + usage.cacheRead + usage.cacheWrite,
    prompt_eval_duration: 342_546_000,
    eval_count: usage.output,
    eval_duration: 4_535_599_000,
  };
}

/** Lines carry the time they were made at: here the same in every run. */
function line({ serial, body }: WireRequest, at: number, fields: object): Frame {
  const created_at = new Date(1_700_000_000_000 + serial * 60_000 + at).toISOString();
  return `${JSON.stringify({ model: field(body, "model"), created_at, ...fields })}\n`;
}
