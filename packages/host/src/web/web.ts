/** Pages of the open network: the way there is checked at every step, and what comes back is bounded. */

import { ignore, messageOf, type Clock } from "@omp/std";
import dns from "node:dns";
import { isIP } from "node:net";
import { HostError } from "../errors.ts";
import { contentOf } from "./body.ts";
import { targetOf, type Resolve, type Target } from "./target.ts";

export interface WebRequest {
  readonly url: string;
  /** What is liked best, as an Accept header. */
  readonly accept?: string;
  readonly maxBytes?: number;
}

export interface WebResponse {
  readonly status: number;
  /** Where it came from after all redirects. */
  readonly url: string;
  /** Lower case, without parameters; empty if the server did not say. */
  readonly contentType: string;
  /** As the server says. */
  readonly charset: string | undefined;
  readonly bytes: Uint8Array;
}

export interface Web {
  /** A status that tells of a failure is an answer too. @throws HostError */
  fetch(request: WebRequest, signal: AbortSignal): Promise<WebResponse>;
}

export interface WebOptions {
  readonly clock: Clock;
  /** See `TargetRules`. */
  readonly privateHosts: readonly string[];
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
  /** Certificates to trust besides those of the system. */
  readonly ca?: string;
}

const MAX_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 10;
const ACCEPT = "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.8";
const AGENT = "Mozilla/5.0 (compatible; omp)";

export function createWeb(options: WebOptions): Web {
  const { clock, privateHosts, resolve = systemAddresses, timeoutMs = TIMEOUT_MS } = options;
  return {
    async fetch(request, signal) {
      const limit = new AbortController();
      const cancel = clock.after(timeoutMs, () => limit.abort());
      const both = AbortSignal.any([signal, limit.signal]);
      try {
        return await follow(request, { ...options, privateHosts, resolve }, both);
      } catch (error) {
        signal.throwIfAborted();
        if (limit.signal.aborted) {
          throw new HostError("timeout", `${request.url} took longer than ${timeoutMs / 1000} s.`);
        }
        throw error;
      } finally {
        cancel();
      }
    },
  };
}

type Rules = WebOptions & { readonly resolve: Resolve };

async function follow(
  request: WebRequest,
  rules: Rules,
  signal: AbortSignal,
): Promise<WebResponse> {
  let url = parsed(request.url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    signal.throwIfAborted();
    const response = await connect(await targetOf(url, rules, signal), request, rules, signal);
    const next = redirectOf(response, url);
    if (!next) return answerOf(response, url, request.maxBytes ?? MAX_BYTES);
    await response.body?.cancel().catch((error: unknown) => ignore(error, "nobody wants it"));
    url = next;
  }
  throw new HostError("network", `${request.url} redirects more than ${MAX_REDIRECTS} times.`);
}

/** To the address that was judged, and no other: the name is not looked up again. */
async function connect(
  { url, addresses }: Target,
  request: WebRequest,
  { ca }: Rules,
  signal: AbortSignal,
): Promise<Response> {
  let failure: unknown;
  for (const address of addresses) {
    const there = new URL(url);
    there.hostname = isIP(address) === 6 ? `[${address}]` : address;
    try {
      return await fetch(there, {
        redirect: "manual",
        decompress: false,
        // A connection that is kept was made for another name.
        keepalive: false,
        signal,
        headers: {
          Host: url.host,
          "User-Agent": AGENT,
          Accept: request.accept ?? ACCEPT,
          "Accept-Encoding": "gzip, deflate, br",
          "Accept-Language": "en;q=0.9, *;q=0.5",
        },
        tls: { ...(isIP(url.hostname) ? {} : { serverName: url.hostname }), ...(ca && { ca }) },
      });
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  const message = `${url.host} cannot be reached: ${reasonOf(failure)}`;
  throw new HostError("network", message, { cause: failure });
}

async function answerOf(response: Response, url: URL, maxBytes: number): Promise<WebResponse> {
  const type = response.headers.get("content-type") ?? "";
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(type)?.[1];
  return {
    status: response.status,
    url: url.href,
    contentType: type.split(";")[0]!.trim().toLowerCase(),
    charset,
    bytes: await contentOf(response, maxBytes),
  };
}

function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get("location");
  if (location === null || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  return parsed(location, from);
}

function parsed(text: string, base?: URL): URL {
  try {
    return new URL(text, base);
  } catch (error) {
    throw new HostError("refused", `'${text}' is no valid URL.`, { cause: error });
  }
}

async function systemAddresses(name: string): Promise<readonly string[]> {
  const found = await dns.promises.lookup(name, { all: true });
  return found.map(({ address }) => address);
}

/** The runtime adds the address that we made and advice that helps nobody here. */
function reasonOf(error: unknown): string {
  return messageOf(error).split(/ fetching "|\. For more|\. Is the/)[0]!;
}
