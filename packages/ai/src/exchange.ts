/** The exchange behind a turn: the request as its protocol writes it, sent until bytes of an answer come back. */

import type { Clock } from "@omp/std";
import { initiatorHeaders } from "./initiator.ts";
import { excerpt, malformed } from "./protocols/failure.ts";
import { paired } from "./protocols/history.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { ProviderError } from "./schema/fault.ts";
import type { ModelRequest } from "./schema/model.ts";
import type { StreamOptions } from "./stream-options.ts";
import { bytesOf, hostOf, post, type Post } from "./transport/http.ts";

export interface Answered {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly headers: Headers;
}

/** The body of an answer that is a stream; any other answer is thrown as what it means. */
export async function exchange(
  request: ModelRequest,
  protocol: Protocol,
  options: StreamOptions,
): Promise<Answered> {
  try {
    return await send(request, protocol, options);
  } catch (error) {
    const other = error instanceof ProviderError ? protocol.again?.(request, error) : undefined;
    if (other === undefined) throw error;
    return await send(other, protocol, options);
  }
}

async function send(
  request: ModelRequest,
  protocol: Protocol,
  { apiKey, signal, clock, sign, fetch = globalThis.fetch }: StreamOptions,
): Promise<Answered> {
  const written = writtenBy(protocol, request, apiKey);
  // A key is stronger than what requests could be signed with.
  const signature = apiKey === undefined ? await sign?.(written, signal) : undefined;
  const headers = { ...written.headers, ...signature };
  const response = await post({ ...written, headers }, fetch, signal);
  const bytes = bytesOf(response, hostOf(written.url), signal);
  if (!isStream(response)) throw await failureOf(response, bytes, protocol, clock);
  return { bytes, headers: response.headers };
}

/** What the configuration of a model adds to a request is added here, once for all protocols. */
export function writtenBy(
  protocol: Protocol,
  request: ModelRequest,
  apiKey: string | undefined,
): Post & { readonly body: string } {
  const { model } = request;
  const { wireId, baseUrl } = model;
  const path = protocol.path(wireId === undefined ? model : { ...model, id: wireId });
  const body = protocol.body({ ...request, messages: paired(request.messages) });
  // A protocol that makes more of the id than its name has seen to the other name itself.
  const isPlain = "model" in body && body.model === model.id;
  const named = wireId !== undefined && isPlain ? { ...body, model: wireId } : body;
  const bearer = model.authHeader && apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  return {
    url: baseUrl.replace(/\/+$/, "") + path,
    headers: merged(
      ...keyHeaders(protocol, request, apiKey),
      bearer,
      initiatorHeaders(request),
      model.headers ?? {},
    ),
    body: JSON.stringify(named),
  };
}

/** What the protocol sends, with the key in the place that the model's server wants it in. */
function keyHeaders(
  protocol: Protocol,
  request: ModelRequest,
  apiKey: string | undefined,
): readonly Readonly<Record<string, string>>[] {
  const { keyHeader } = request.model;
  if (keyHeader === undefined || apiKey === undefined) return [protocol.headers(request, apiKey)];
  return [protocol.headers(request, undefined), { [keyHeader]: `Bearer ${apiKey}` }];
}

/** Headers whose values are lists, to which both sides may add. */
const LISTS: ReadonlySet<string> = new Set(["anthropic-beta"]);

/** Later ones win. Names are compared as HTTP does: two spellings would both be sent. */
function merged(...all: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [spelling, value] of all.flatMap(Object.entries<string>)) {
    const name = spelling.toLowerCase();
    const before = headers[name];
    headers[name] = before !== undefined && LISTS.has(name) ? `${before},${value}` : value;
  }
  return headers;
}

/** A page or a JSON document with status 200 is an error, too: a wrong address, or a gateway's word. */
function isStream(response: Response): boolean {
  const type = response.headers.get("content-type") ?? "";
  return response.ok && !/^(text\/html|application\/json)\b/i.test(type);
}

const MAX_ERROR_BYTES = 64 * 1024;

async function failureOf(
  response: Response,
  bytes: AsyncIterable<Uint8Array>,
  protocol: Protocol,
  clock: Clock,
): Promise<ProviderError> {
  const { status, headers } = response;
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ERROR_BYTES) break;
  }
  const location = headers.get("location");
  if (location !== null && status >= 300 && status < 400) {
    return malformed(
      `${status}: the server sends us on to ${excerpt(location)}; set that base URL`,
    );
  }
  return protocol.failure({ status, headers, text, now: clock.now() });
}
