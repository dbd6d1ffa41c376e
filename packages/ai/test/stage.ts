/** What the tests of this package share: a request, a model of each vendor, a clock that is set by hand. */

import { systemClock } from "@omp/std";
import { scriptedModel, type ScriptedModel, type TurnSource } from "@omp/testkit";
import { modelOf, providers, stream, type Provider, type StreamOptions } from "../src/index.ts";
import type { Message, Model, ModelRequest, ModelStream } from "../src/schema/index.ts";

export const KEY = "test-key-0123456789";

export const TOOLS = ["read", "bash"].map((name) => ({
  name,
  description: `The ${name} tool`,
  parameters: { type: "object", properties: { path: { type: "string" } } },
}));

export function user(content: string): Message {
  return { role: "user", content, timestamp: 1 };
}

export function requestTo(model: Model, messages: readonly Message[] = [user("hi")]): ModelRequest {
  return { model, systemPrompt: "You are a test.", messages, tools: TOOLS };
}

export function ask(
  model: Model,
  options: Partial<StreamOptions> = {},
  messages?: readonly Message[],
): ModelStream {
  return send(requestTo(model, messages), options);
}

export function send(request: ModelRequest, options: Partial<StreamOptions> = {}): ModelStream {
  return stream(request, {
    apiKey: KEY,
    signal: new AbortController().signal,
    clock: systemClock,
    ...options,
  });
}

/** A vendor's model, and the server that plays it. */
export interface Stage extends AsyncDisposable {
  readonly provider: Provider;
  readonly model: Model;
  readonly server: ScriptedModel;
}

export async function stage(provider: Provider, turns: readonly TurnSource[]): Promise<Stage> {
  const server = await scriptedModel(turns);
  const env = { ...server.environment(), ...addressesOf(server.url) };
  const model = modelOf(provider, provider.models[0]?.id ?? "", env);
  return { provider, model, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Where the rules of these vendors are in force; the program knows no variable for them. */
function addressesOf(url: string) {
  return {
    TEST_AZURE_BASE_URL: `${url}/openai/v1`,
    TEST_CODEX_BASE_URL: `${url}/backend-api/codex`,
    TEST_GOOGLE_BASE_URL: `${url}/v1beta`,
    TEST_VERTEX_BASE_URL: `${url}/v1/projects/p1/locations/europe-west4`,
    TEST_VERTEX_KEY_BASE_URL: `${url}/v1`,
    TEST_OLLAMA_BASE_URL: url,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
  };
}

export function providerOf(id: string): Provider {
  const provider = providers.find((candidate) => candidate.id === id);
  if (!provider) throw new Error(`no provider ${id}`);
  return provider;
}

/** An answer without a network: these events, then the end. */
export function answering(...frames: readonly (object | string)[]): StreamOptions["fetch"] {
  const lines = frames.map((frame) => (typeof frame === "string" ? frame : JSON.stringify(frame)));
  return async () => eventStream(lines.map((line) => `data: ${line}\n\n`).join(""));
}

export function eventStream(body: ConstructorParameters<typeof Response>[0]): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
