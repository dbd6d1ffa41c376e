/** One fault in one protocol's stream: played over a socket, or where no server can be asked for it, on its bytes. */

import { systemClock } from "@omp/std";
import { callTool, fail, say, think, turn, type Turn } from "@omp/testkit";
import { stream, type Provider, type StreamOptions } from "../src/index.ts";
import { faultIn, type Expected } from "./judge.ts";
import { KEY, requestTo, stage, type Stage } from "./stage.ts";

export const FAULTS = [
  "cut",
  "cut in small pieces",
  "early-end",
  "reset",
  "garbage",
  "silence",
  "abort",
  "in-band-error",
  "status",
  "flipped bit",
  "lost byte",
  "repeated byte",
] as const;
export type Kind = (typeof FAULTS)[number];

export interface Case {
  readonly provider: Provider;
  readonly kind: Kind;
  /** Where in the stream it strikes, from 0 to 1. */
  readonly share: number;
}

const ANSWER = turn(
  think("First the file."),
  say("I read it — 読む, 🙂."),
  callTool("read", { path: "a/b", range: [1, 20], deep: { why: 'say "so"\n' } }),
  callTool("bash", { path: "ls", all: true }),
).with({ textPiece: 12, argumentPiece: 40 });

export interface Whole extends Expected {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer without a fault, as bytes and as a message. */
export async function wholeAnswer(provider: Provider): Promise<Whole> {
  await using scene = await stage(provider, [ANSWER]);
  let body: Uint8Array<ArrayBuffer> = new Uint8Array();
  let headers = {};
  const fetch = async (url: string, init: BunFetchRequestInit) => {
    const response = await globalThis.fetch(url, init);
    body = new Uint8Array(await response.arrayBuffer());
    headers = { "content-type": response.headers.get("content-type") ?? "" };
    return new Response(body, { headers });
  };
  const final = await ask(scene, { fetch }).result;
  if (final.type !== "done") throw new Error(`${provider.api}: ${final.message.errorMessage}`);
  return { body, headers, content: final.message.content };
}

function ask(scene: Pick<Stage, "model">, options: Partial<StreamOptions>) {
  const signal = new AbortController().signal;
  return stream(requestTo(scene.model), { apiKey: KEY, clock: systemClock, signal, ...options });
}

/** What is wrong with this case, or undefined. */
export async function played(
  { provider, kind, share }: Case,
  whole: Whole,
): Promise<string | undefined> {
  const { length } = whole.body;
  const at = Math.floor(share * length);
  const abort = new AbortController();
  await using scene = await stage(provider, [turnWith(kind, at, length)]);
  const options = {
    signal: abort.signal,
    ...(kind === "silence" && { timeouts: { firstContentMs: 25, idleMs: 25 } }),
    ...inProcess(kind, at, whole, abort),
  };
  return faultIn(ask(scene, options), whole, {
    mayChange: kind.includes("bit") || kind.includes("byte"),
    mayAbort: kind === "abort",
    mustFail: kind === "status" || kind === "in-band-error",
  });
}

const STATUSES = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 529] as const;

function turnWith(kind: Kind, atByte: number, length: number): Turn {
  switch (kind) {
    case "cut":
    case "early-end":
    case "reset":
    case "garbage":
    case "silence":
      return ANSWER.with({ fault: { kind, atByte } });
    case "cut in small pieces":
      return ANSWER.with({ chunkBytes: 1 + (atByte % 97), fault: { kind: "cut", atByte } });
    case "in-band-error": {
      const afterFrames = Math.floor((atByte / length) * 24);
      const [type, message] = ["overloaded_error", "Overloaded"];
      return ANSWER.with({ fault: { kind, type, message, afterFrames } });
    }
    case "status":
      return fail(STATUSES[atByte % STATUSES.length]!, { message: "x".repeat(atByte) });
    default:
      return ANSWER;
  }
}

/** Faults that no server can be asked for: the bytes change on their way, or the person gives up. */
function inProcess(
  kind: Kind,
  at: number,
  whole: Whole,
  abort: AbortController,
): Partial<StreamOptions> {
  const { body, headers } = whole;
  const answering = (bytes: Uint8Array<ArrayBuffer>) => ({
    fetch: async () => new Response(bytes, { headers }),
  });
  switch (kind) {
    case "flipped bit":
      return answering(body.map((byte, index) => (index === at ? byte ^ (1 << (at % 8)) : byte)));
    case "lost byte":
      return answering(body.filter((_, index) => index !== at));
    case "repeated byte":
      return answering(Uint8Array.from([...body.slice(0, at + 1), ...body.slice(at)]));
    case "abort":
      return { fetch: async () => new Response(abortingAt(at, body, abort), { headers }) };
    default:
      return {};
  }
}

/** The bytes up to there come, then the signal. */
function abortingAt(
  at: number,
  body: Uint8Array,
  abort: AbortController,
): ReadableStream<Uint8Array> {
  let isFirst = at > 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (isFirst) controller.enqueue(body.slice(0, at));
      else abort.abort();
      isFirst = false;
    },
  });
}
