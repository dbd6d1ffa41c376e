/** Puts one answer on a connection, byte for byte as the script wants it. */

import { STATUS_CODES } from "node:http";
import type { Connection } from "./connection.ts";
import type { Ending } from "./recorded-request.ts";
import type { Answer, Fault, Play } from "./turn.ts";
import type { Frames, PlainAnswer, Wire, WireRequest } from "./wires/wire.ts";

/** Ends any half event with broken JSON, and then is a whole event of broken JSON itself. */
const GARBAGE = Uint8Array.from([0xff, 0xfe, 0x00, ...Buffer.from('}{\n\ndata: {"broken\n\n')]);

const CHARACTERS_PER_TOKEN = 4;
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

export interface Exchange {
  readonly wire: Wire;
  readonly request: WireRequest;
  readonly connection: Connection;
}

/** Resolves when the answer is out, its fault is done, or the connection is gone. */
export async function playAnswer(answer: Answer, exchange: Exchange): Promise<Ending> {
  const { wire, request, connection } = exchange;
  const { play } = answer;
  const bytes = faultyBytes(wire, wire.frames(plain(answer, request), request), play.fault);
  await pause(play.delayMs, connection);
  await connection.send(streamHead(wire, request, play));
  let isFirst = true;
  for (const piece of piecesOf(bytes, play.chunkBytes)) {
    if (!isFirst) await gap(play, connection);
    isFirst = false;
    await connection.send(chunk(piece));
  }
  await finish(play.fault, connection);
  if (connection.isClosedByClient) return "closed-by-client";
  return play.fault ? "faulted" : "answered";
}

export interface WholeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function sendBody(response: WholeResponse, connection: Connection): Promise<Ending> {
  const body = Buffer.from(response.body);
  const headers = {
    "content-type": "application/json",
    ...lowerCased(response.headers),
    "content-length": String(body.length),
  };
  const head = responseHead(response.status, headers);
  await connection.send(Buffer.concat([head, body]));
  return connection.isClosedByClient ? "closed-by-client" : "answered";
}

export function pause(ms: number | undefined, { gone }: Connection): Promise<void> {
  if (!ms || gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      gone.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    gone.addEventListener("abort", wake);
  });
}

async function gap({ betweenMs, chunkBytes }: Play, connection: Connection): Promise<void> {
  if (betweenMs) return pause(betweenMs, connection);
  // Without a turn of the event loop the client would see small pieces as one.
  if (chunkBytes !== undefined) await new Promise(setImmediate);
}

async function finish(fault: Fault | undefined, connection: Connection): Promise<void> {
  if (connection.gone.aborted) return;
  switch (fault?.kind) {
    case undefined:
    case "early-end":
    case "garbage":
    case "in-band-error":
      return connection.send(LAST_CHUNK);
    case "cut":
      return connection.end();
    case "reset":
      return connection.reset();
    case "silence":
      await new Promise((resolve) => connection.gone.addEventListener("abort", resolve));
  }
}

/** The frames as bytes, up to where the fault strikes. */
function faultyBytes(wire: Wire, frames: Frames, fault: Fault | undefined): Uint8Array[] {
  const { open, content, close } = frames;
  if (fault?.kind === "in-band-error") {
    const before = [...open, ...content].slice(0, fault.afterFrames);
    return [...before, wire.errorFrame(fault.type, fault.message)].map(encode);
  }
  const whole = [...open, ...content, ...close].map(encode);
  if (!fault) return whole;
  const kept = firstBytes(whole, fault.atByte);
  return fault.kind === "garbage" ? [...kept, wire.garbage ?? GARBAGE] : kept;
}

function firstBytes(frames: readonly Uint8Array[], count: number): Uint8Array[] {
  const kept: Uint8Array[] = [];
  let left = count;
  for (const frame of frames) {
    if (left <= 0) break;
    kept.push(frame.subarray(0, left));
    left -= frame.length;
  }
  return kept;
}

function piecesOf(frames: readonly Uint8Array[], chunkBytes: number | undefined): Uint8Array[] {
  if (chunkBytes === undefined) return [...frames];
  const bytes = Buffer.concat(frames);
  const size = Math.max(1, chunkBytes);
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

function plain({ blocks, play }: Answer, request: WireRequest): PlainAnswer {
  const written = blocks.reduce((sum, block) => sum + JSON.stringify(block).length, 0);
  const read = JSON.stringify(request.body ?? "").length;
  const hasCall = blocks.some((block) => block.kind === "tool-call");
  return {
    blocks,
    usage: {
      input: Math.ceil(read / CHARACTERS_PER_TOKEN),
      output: Math.ceil(written / CHARACTERS_PER_TOKEN),
      cacheRead: 0,
      cacheWrite: 0,
      ...play.usage,
    },
    stop: play.stop ?? (hasCall ? "toolUse" : "stop"),
    textPiece: play.textPiece ?? 24,
    argumentPiece: play.argumentPiece ?? 16,
  };
}

function streamHead(wire: Wire, { serial }: WireRequest, play: Play): Uint8Array {
  return responseHead(200, {
    "content-type": wire.contentType,
    "cache-control": "no-cache",
    [wire.requestIdHeader]: `req_${String(serial).padStart(8, "0")}`,
    ...lowerCased(play.headers ?? {}),
    "transfer-encoding": "chunked",
  });
}

function responseHead(status: number, headers: Readonly<Record<string, string>>): Uint8Array {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return encode(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n${lines.join("")}\r\n`);
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function chunk(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([encode(`${bytes.length.toString(16)}\r\n`), bytes, encode("\r\n")]);
}

function encode(frame: string | Uint8Array): Uint8Array {
  return typeof frame === "string" ? Buffer.from(frame) : frame;
}
