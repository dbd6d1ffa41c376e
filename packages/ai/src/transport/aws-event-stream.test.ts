/** Messages of the event stream cut at every possible place, and broken ones. */

import { expect, test } from "bun:test";
import { awsEventFrames } from "./aws-event-stream.ts";
import type { Frame } from "./frame.ts";

/** From the documentation of another implementation: `{"foo": "bar"}` without and with one header. */
const PLAIN = Uint8Array.of(
  ...[0, 0, 0, 30, 0, 0, 0, 0, 186, 242, 246, 138, 123, 34, 102, 111, 111, 34, 58, 32, 34, 98, 97],
  ...[114, 34, 125, 174, 114, 88, 228],
);
const WITH_HEADER = Uint8Array.of(
  ...[0, 0, 0, 62, 0, 0, 0, 32, 64, 93, 249, 70, 12, 99, 111, 110, 116, 101, 110, 116, 45, 116],
  ...[121, 112, 101, 7, 0, 16, 97, 112, 112, 108, 105, 99, 97, 116, 105, 111, 110, 47, 106, 115],
  ...[111, 110, 123, 34, 102, 111, 111, 34, 58, 32, 34, 98, 97, 114, 34, 125, 111, 162, 191, 59],
);

test("messages that others wrote are read", async () => {
  const data = '{"foo": "bar"}';
  const bytes = Buffer.concat([PLAIN, WITH_HEADER]);
  expect(await framesOf(bytes, bytes.length)).toEqual([{ data }, { data }]);
});

const EVENT = message(
  { ":event-type": "contentBlockDelta", ":message-type": "event" },
  '{"x":"读🙂é"}',
);
const EXCEPTION = message(
  { ":exception-type": "throttlingException", ":message-type": "exception" },
  '{"message":"slow down"}',
);
const ERROR = message(
  { ":error-code": "InternalError", ":error-message": "broken", ":message-type": "error" },
  "",
);

test.each([1, 2, 3, 7, 1_000])("messages split at %d bytes", async (size) => {
  const bytes = Buffer.concat([EVENT, EXCEPTION, ERROR, EVENT.subarray(0, -1)]);
  expect(await framesOf(bytes, size)).toEqual([
    { event: "contentBlockDelta", data: '{"x":"读🙂é"}' },
    { event: "throttlingException", data: '{"message":"slow down"}', isError: true },
    { event: "InternalError", data: '{"message":"broken"}', isError: true },
  ]);
});

test("headers of every type are passed over", async () => {
  const others = [
    header("a", 0),
    header("b", 1),
    header("c", 2, [1]),
    header("d", 3, [1, 2]),
    header("e", 4, [1, 2, 3, 4]),
    header("f", 5, [1, 2, 3, 4, 5, 6, 7, 8]),
    header("g", 6, [0, 3, 1, 2, 3]),
    header("h", 8, [1, 2, 3, 4, 5, 6, 7, 8]),
    header("i", 9, Array(16).fill(1)),
  ];
  const bytes = sealed([...others, text(":event-type", "ping")], "{}");
  expect(await framesOf(bytes, 5)).toEqual([{ event: "ping", data: "{}" }]);
});

test("one wrong bit anywhere is noticed", async () => {
  for (let bit = 0; bit < EVENT.length * 8; bit++) {
    const bytes = Uint8Array.from(EVENT);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    await expect(framesOf(bytes, 50)).rejects.toMatchObject({ fault: { kind: "malformed" } });
  }
});

test.each([
  ["an unknown type of header", sealed([header("a", 10)], "{}")],
  ["a header that is cut off", sealed([header("a", 5, [1])], "{}")],
  ["a header without its length", sealed([header("a", 7)], "{}")],
  ["headers longer than the message", sealed([], "{}", { headers: 40 })],
  ["a message shorter than its frame", sealed([], "{}", { total: 12 })],
  ["a message without end", sealed([], "{}", { total: 40_000_000 })],
])("%s is malformed", async (_what, bytes) => {
  await expect(framesOf(bytes, 9)).rejects.toMatchObject({ fault: { kind: "malformed" } });
});

async function framesOf(bytes: Uint8Array, size: number): Promise<Frame[]> {
  return Array.fromAsync(awsEventFrames(pieces(bytes, size)));
}

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function message(headers: Readonly<Record<string, string>>, payload: string): Uint8Array {
  return sealed(
    Object.entries(headers).map(([name, value]) => text(name, value)),
    payload,
  );
}

/** With lengths other than the true ones, the checksums are still right. */
function sealed(
  headers: readonly Uint8Array[],
  payload: string,
  lies: { readonly total?: number; readonly headers?: number } = {},
): Uint8Array {
  const head = Buffer.concat(headers);
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(lies.total ?? 16 + head.length + body.length, 0);
  prelude.writeUInt32BE(lies.headers ?? head.length, 4);
  prelude.writeUInt32BE(Bun.hash.crc32(prelude.subarray(0, 8)), 8);
  const sum = Buffer.alloc(4);
  const whole = Buffer.concat([prelude, head, body]);
  sum.writeUInt32BE(Bun.hash.crc32(whole));
  return Buffer.concat([whole, sum]);
}

function header(name: string, type: number, value: readonly number[] = []): Uint8Array {
  return Uint8Array.of(name.length, ...Buffer.from(name), type, ...value);
}

function text(name: string, value: string): Uint8Array {
  const bytes = Buffer.from(value);
  return header(name, 7, [bytes.length >> 8, bytes.length & 255, ...bytes]);
}
