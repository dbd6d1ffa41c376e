/** Events cut at every possible place. */

import { expect, test } from "bun:test";
import type { Frame } from "./frame.ts";
import { sseFrames } from "./sse.ts";

async function* pieces(text: string | Uint8Array, size: number) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function framesOf(text: string, size: number): Promise<Frame[]> {
  return (await Array.fromAsync(sseFrames(pieces(text, size)))).flat();
}

test.each([1, 2, 3, 7, 1_000])(
  "line ends, marks and characters split at %d bytes",
  async (size) => {
    const text =
      '\uFEFFevent: a\r\ndata: {"x":"读🙂é"}\r\n\r\n: comment\n\ndata: one\ndata: two\n\n' +
      "unknown: field\nid: 7\nretry: 5\rdata:three\r\rdata: half";
    expect(await framesOf(text, size)).toEqual([
      { event: "a", data: '{"x":"读🙂é"}' },
      { data: "one\ntwo" },
      { data: "three" },
    ]);
  },
);

test("a line without end does not fill the memory", async () => {
  const endless = async function* () {
    const chunk = new TextEncoder().encode("x".repeat(1024 * 1024));
    yield new TextEncoder().encode("data: ");
    for (let count = 0; count < 40; count++) yield chunk;
  };
  const reading = Array.fromAsync(sseFrames(endless()));
  await expect(reading).rejects.toMatchObject({ fault: { kind: "malformed" } });
});
