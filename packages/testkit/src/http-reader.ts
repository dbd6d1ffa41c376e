/** Reads HTTP/1.1 requests from the bytes of one connection. */

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** What follows the question mark. */
  readonly query: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const HEAD_END = new TextEncoder().encode("\r\n\r\n");
const LINE_END = new TextEncoder().encode("\r\n");

export class HttpReader {
  #pending = Buffer.alloc(0);

  /** The requests that these bytes complete. Throws on bytes that are not HTTP. */
  push(bytes: Uint8Array): HttpRequest[] {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    const requests: HttpRequest[] = [];
    for (;;) {
      const next = readRequest(this.#pending);
      if (!next) return requests;
      requests.push(next.request);
      this.#pending = this.#pending.subarray(next.length);
    }
  }
}

function readRequest(bytes: Buffer): { request: HttpRequest; length: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const [requestLine = "", ...headerLines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const [method, target, version] = requestLine.split(" ");
  if (!method || !target || !version?.startsWith("HTTP/1.")) {
    throw new Error(`not an HTTP/1 request line: ${JSON.stringify(requestLine)}`);
  }
  const headers = parseHeaders(headerLines);
  const body = readBody(bytes.subarray(headEnd + HEAD_END.length), headers);
  if (!body) return undefined;
  const [path = target, query = ""] = target.split("?");
  const length = headEnd + HEAD_END.length + body.length;
  return { request: { method, path, query, headers, body: body.content }, length };
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

interface Body {
  readonly content: Uint8Array;
  /** Bytes it took on the wire. */
  readonly length: number;
}

function readBody(bytes: Buffer, headers: Readonly<Record<string, string>>): Body | undefined {
  if (headers["transfer-encoding"]?.toLowerCase() === "chunked") return readChunks(bytes);
  const length = Number(headers["content-length"] ?? 0);
  if (bytes.length < length) return undefined;
  return { content: Uint8Array.from(bytes.subarray(0, length)), length };
}

function readChunks(bytes: Buffer): Body | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf(LINE_END, at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error("a chunk of the request has no size");
    const start = lineEnd + LINE_END.length;
    at = start + size + LINE_END.length;
    if (bytes.length < at) return undefined;
    if (size === 0) return { content: Uint8Array.from(Buffer.concat(chunks)), length: at };
    chunks.push(bytes.subarray(start, start + size));
  }
}
