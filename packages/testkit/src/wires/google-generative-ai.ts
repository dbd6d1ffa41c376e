/** Gemini, streaming: POST <base>/models/<id>:streamGenerateContent?alt=sse; the same on Vertex AI. */

import { ignore } from "@omp/std";
import { isObject, type JsonObject } from "../json.ts";
import { modelIn, refuseGoogle, wantsSignatures } from "../rules/google-generative-ai.ts";
import type { Block, Stop } from "../turn.ts";
import { piecesOf } from "./pieces.ts";
import type { Frame, PlainAnswer, Wire, WireRequest } from "./wire.ts";

/** The vendor has no word for a turn that waits for its tools. */
const FINISH_REASON: Record<Stop, string> = {
  stop: "STOP",
  length: "MAX_TOKENS",
  toolUse: "STOP",
  refused: "SAFETY",
};

const STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** Scripts name errors as the other wires do. */
const CODE_BY_TYPE: Readonly<Record<string, number>> = {
  authentication_error: 401,
  invalid_request_error: 400,
  overloaded_error: 503,
  rate_limit_error: 429,
};

export const googleGenerativeAi: Wire = {
  id: "google-generative-ai",
  contentType: "text/event-stream",
  requestIdHeader: "x-request-id",
  matches: (path) => /\/[^/]+:streamGenerateContent$/.test(path),
  refuse: refuseGoogle,
  frames(answer, request) {
    const parts = answer.blocks.flatMap((block, index) => partsOf(block, index, answer, request));
    const broken = answer.blocks.some((block) => block.kind === "tool-call" && !argsOf(block.args));
    const finishReason = broken ? "MALFORMED_FUNCTION_CALL" : FINISH_REASON[answer.stop];
    const close = { content: contentOf({ text: "" }), finishReason, index: 0 };
    return {
      open: [],
      content: parts.map((part) => chunk(answer, request, { content: contentOf(part), index: 0 })),
      close: [chunk(answer, request, close)],
    };
  },
  errorFrame: (type, message) => frame(errorOf(CODE_BY_TYPE[type] ?? 500, message)),
  errorBody: (status, message) => JSON.stringify(errorOf(status, message)),
};

function errorOf(code: number, message: string): object {
  return { error: { code, message, status: STATUS[code] ?? "UNKNOWN" } };
}

function contentOf(part: object): object {
  return { parts: [part], role: "model" };
}

function partsOf(
  block: Block,
  index: number,
  { textPiece, blocks }: PlainAnswer,
  request: WireRequest,
): object[] {
  switch (block.kind) {
    case "text":
      return piecesOf(block.text, textPiece).map((text) => ({ text }));
    case "thinking":
      return piecesOf(block.text, textPiece).map((text, piece, all) => ({
        text,
        thought: true,
        ...(piece === all.length - 1 && { thoughtSignature: block.signature }),
      }));
    case "hidden-thinking":
      return [];
    case "tool-call": {
      const args = argsOf(block.args);
      if (!args) return [];
      const id = block.id ?? `call_${String(request.serial).padStart(4, "0")}_${index}`;
      const isFirst = blocks.findIndex(({ kind }) => kind === "tool-call") === index;
      const signature = isFirst &&
        wantsSignatures(modelIn(request)) && { thoughtSignature: `of-${id}` };
      return [{ functionCall: { name: block.name, args, id }, ...signature }];
    }
  }
}

/** The vendor sends objects only; a call it could not read is a reason to stop. */
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

function chunk(answer: PlainAnswer, request: WireRequest, candidate: object): Frame {
  return frame({
    candidates: [candidate],
    usageMetadata: usageOf(answer),
    modelVersion: modelIn(request),
    responseId: `resp-${String(request.serial).padStart(24, "0")}`,
  });
}

/** `promptTokenCount` counts cached tokens too; thoughts are counted apart from the answer. */
function usageOf({ usage, blocks }: PlainAnswer) {
  const promptTokenCount = usage.input + usage.cacheRead + usage.cacheWrite;
  const hasThoughts = blocks.some((block) => block.kind === "thinking");
  const thoughtsTokenCount = hasThoughts ? Math.floor(usage.output / 2) : 0;
  return {
    promptTokenCount,
    candidatesTokenCount: usage.output - thoughtsTokenCount,
    totalTokenCount: promptTokenCount + usage.output,
    ...(usage.cacheRead > 0 && { cachedContentTokenCount: usage.cacheRead }),
    promptTokensDetails: [{ modality: "TEXT", tokenCount: promptTokenCount }],
    ...(hasThoughts && { thoughtsTokenCount }),
  };
}

/** The vendor ends its lines as HTTP does. */
function frame(value: object): Frame {
  return `data: ${JSON.stringify(value)}\r\n\r\n`;
}
