/** One POST and its body. Connections that fail become a `network` fault in plain words. */

import { codeOf, ignore, messageOf } from "@omp/std";
import { ProviderError } from "../schema/fault.ts";

/** What we ask of `fetch`; an in-process model implements it without a socket. */
export type FetchLike = (url: string, init: BunFetchRequestInit) => Promise<Response>;

interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text is sent as it is: a signature holds for these bytes only. */
  readonly body: object | string;
}

/** @returns headers to add to the request, which must not be changed afterwards */
export type Signer = (
  request: Post & { readonly body: string },
  signal: AbortSignal,
) => Promise<Readonly<Record<string, string>>>;

/** @throws ProviderError when nobody answers, or the signal's reason when it aborts first */
export async function post(
  request: Post,
  fetch: FetchLike,
  signal: AbortSignal,
): Promise<Response> {
  const { url, headers, body } = request;
  const init: BunFetchRequestInit = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal,
    // A redirect would carry the key to a host that nobody chose.
    redirect: "manual",
    // The silence watch has the say; Bun's own limit of five minutes would hide it.
    timeout: false,
  };
  try {
    return await unlessAborted(fetch(url, init), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw networkError(`Could not reach ${hostOf(url)}`, error);
  }
}

/** The body, a chunk at each pull. Leaving the iteration lets go of the connection. */
export async function* bytesOf(
  response: Response,
  host: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  // Cancelling ends a read in progress at once, even where the body does not know the signal.
  const close = () => {
    reader.cancel().catch((error) => ignore(error, "the connection is already gone"));
  };
  signal.addEventListener("abort", close, { once: true });
  // It may have aborted since the answer began; a listener that comes late hears nothing.
  if (signal.aborted) close();
  try {
    for (;;) {
      const chunk = await read(reader, host, signal);
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    signal.removeEventListener("abort", close);
    if (signal.aborted) close();
    else void letGo(reader, close);
  }
}

const FAREWELL_MS = 100;
const FAREWELL_CHUNKS = 16;

/**
 * The last event is seldom the last byte. Read to its end, the connection serves the next turn; one
 * that does not end at once is closed.
 */
async function letGo(reader: Reader, close: () => void): Promise<void> {
  const timer = setTimeout(close, FAREWELL_MS);
  try {
    for (let chunks = 0; chunks < FAREWELL_CHUNKS; chunks++) {
      if ((await reader.read()).done) return;
    }
    close();
  } catch (error) {
    ignore(error, "the answer is complete; what becomes of its connection is not its concern");
  } finally {
    clearTimeout(timer);
  }
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

async function read(
  reader: Reader,
  host: string,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    return done ? undefined : value;
  } catch (error) {
    signal.throwIfAborted();
    throw networkError(`The connection to ${host} broke`, error);
  }
}

export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  return Promise.race([promise, aborted.promise]).finally(() =>
    signal.removeEventListener("abort", onAbort),
  );
}

const REASONS: Readonly<Record<string, string>> = {
  ConnectionClosed: "the other side closed it",
  ConnectionRefused: "connection refused",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the other side closed it",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "the network is unreachable",
  ENOTFOUND: "no host of this name",
  ETIMEDOUT: "timed out",
};

function networkError(what: string, error: unknown): ProviderError {
  const reason = REASONS[codeOf(error) ?? ""] ?? messageOf(error);
  return new ProviderError({ kind: "network" }, `${what}: ${reason}`, undefined, { cause: error });
}
