/** Requests to a host as it is addressed for real, answered by the scripted model. */

import { scriptedModel, say, turn, type RecordedRequest, type TurnSource } from "@omp/testkit";
import type { Message, Model, ModelRequest } from "../src/schema/index.ts";
import type { StreamOptions } from "../src/index.ts";
import { collect, type Collected } from "./grammar.ts";
import { requestTo, send } from "./stage.ts";

export interface Exchange extends Collected {
  readonly url: string;
  readonly request: RecordedRequest;
  readonly body: Readonly<Record<string, unknown>>;
  readonly messages: readonly WireMessage[];
}

/** A message as Chat Completions writes it. */
export interface WireMessage {
  readonly role: string;
  readonly content: unknown;
  readonly name?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

/** Sends one request; the server stands in for whatever host the model's base URL names. */
export async function exchangeWith(
  model: Model,
  request: Partial<ModelRequest> = {},
  options: Partial<StreamOptions> & { readonly answer?: TurnSource } = {},
): Promise<Exchange> {
  const { answer = turn(say("ok")), ...rest } = options;
  // What a host takes beyond the vendor's own fields is the point here.
  await using server = await scriptedModel([answer], { strict: false });
  let url = "";
  const fetch: StreamOptions["fetch"] = (asked, init) => {
    url = asked;
    const { pathname, search } = new URL(asked);
    return globalThis.fetch(server.url + pathname + search, init);
  };
  const collected = await collect(send({ ...requestTo(model), ...request }, { fetch, ...rest }));
  const recorded = server.requests[0];
  if (!recorded) throw new Error(`nothing was sent: ${collected.message.errorMessage}`);
  const body = recorded.body as Exchange["body"];
  return { ...collected, url, request: recorded, body, messages: wireMessages(body) };
}

function wireMessages(body: Exchange["body"]): readonly WireMessage[] {
  return (body["messages"] ?? []) as readonly WireMessage[];
}

export function toolResult(toolCallId: string, text = "done"): Message {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 3,
  };
}

/** A turn of the model's own, or of another one, in which a tool was called. */
export function calledTool(
  model: Model,
  id: string,
  thinking?: { readonly text: string; readonly field?: string },
): Message {
  const { api, provider } = model;
  const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    role: "assistant",
    content: [
      ...(thinking
        ? [
            {
              type: "thinking" as const,
              thinking: thinking.text,
              thinkingSignature: thinking.field ?? "reasoning_content",
            },
          ]
        : []),
      { type: "toolCall", id, name: "read", arguments: { path: "a" } },
    ],
    api,
    provider,
    model: model.id,
    usage: { ...zero, totalTokens: 0, cost: { ...zero, total: 0 } },
    stopReason: "toolUse",
    timestamp: 2,
  };
}
