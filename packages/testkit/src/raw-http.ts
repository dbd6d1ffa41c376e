/** HTTP on a plain socket, for tests that must see every byte and how the connection ended. */

import { connect } from "node:net";
import { codeOf } from "@omp/std";

export interface RawResponse {
  readonly head: string;
  /** The body without its transfer encoding. */
  readonly body: Buffer;
  /** Sizes of the chunks as they were sent. */
  readonly chunks: readonly number[];
  /** Whether the body had its end. */
  readonly isWhole: boolean;
  /** `ECONNRESET` after an RST; undefined after an orderly close. */
  readonly error: string | undefined;
}

/** Sends the text, in pieces where a size is given, and reads until the connection closes. */
export async function rawExchange(
  url: string,
  request: string,
  pieceSize = request.length,
): Promise<RawResponse> {
  const { bytes, error } = await transfer(Number(new URL(url).port), request, pieceSize);
  const headEnd = bytes.indexOf("\r\n\r\n");
  const head = bytes.toString("latin1", 0, headEnd);
  const rest = bytes.subarray(headEnd + 4);
  if (!/transfer-encoding: chunked/i.test(head))
    return { head, body: rest, chunks: [], isWhole: true, error };
  return { head, ...unchunk(rest), error };
}

/** A POST that asks the server to close the connection afterwards. */
export function rawPost(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const length = String(Buffer.byteLength(body));
  const all = { host: "localhost", ...headers, "content-length": length, connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

function transfer(port: number, request: string, pieceSize: number) {
  const { promise, resolve } = Promise.withResolvers<{
    bytes: Buffer;
    error: string | undefined;
  }>();
  const parts: Buffer[] = [];
  let error: string | undefined;
  const socket = connect(port, "127.0.0.1", () => void sendPieces());
  socket.on("data", (bytes) => parts.push(Buffer.from(bytes)));
  socket.on("error", (fault) => (error = codeOf(fault)));
  socket.on("close", () => resolve({ bytes: Buffer.concat(parts), error }));
  return promise;

  async function sendPieces(): Promise<void> {
    for (let at = 0; at < request.length; at += pieceSize) {
      socket.write(request.slice(at, at + pieceSize));
      await new Promise(setImmediate);
    }
  }
}

function unchunk(bytes: Buffer): Pick<RawResponse, "body" | "chunks" | "isWhole"> {
  const chunks: Buffer[] = [];
  let isWhole = false;
  for (let at = 0; at < bytes.length && !isWhole;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (size === 0) isWhole = true;
    else chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return { body: Buffer.concat(chunks), chunks: chunks.map((chunk) => chunk.length), isWhole };
}
