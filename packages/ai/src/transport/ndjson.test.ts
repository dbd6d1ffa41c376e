/** Lines cut anywhere, empty ones, and ones that never end. */

import { expect, test } from "bun:test";
import { ndjsonFrames } from "./ndjson.ts";

async function framesOf(text: string, size: number): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  };
  const frames: string[] = [];
  for await (const { data } of ndjsonFrames(pieces())) frames.push(data);
  return frames;
}

test("the size of the network's pieces changes nothing", async () => {
  const lines = ['{"a":"é🙂"}', '{"b":[1,2]}', "{}"];
  for (let size = 1; size < 12; size++) {
    expect(await framesOf(`${lines.join("\n")}\n`, size)).toEqual(lines);
  }
});

test("empty lines are no frames, and a line may end as in HTTP", async () => {
  const frames = await framesOf('\n{"a":1}\r\n\r\n  \n{"b":2}\n', 3);
  expect(frames.map((frame) => JSON.parse(frame))).toEqual([{ a: 1 }, { b: 2 }]);
});

test("a last line without its end counts when it is whole", async () => {
  expect(await framesOf('{"a":1}\n{"b":{}}', 4)).toEqual(['{"a":1}', '{"b":{}}']);
  expect(await framesOf('{"a":1}\n{"b":{}', 4)).toEqual(['{"a":1}']);
  expect(await framesOf('{"a":1}\n{"b', 4)).toEqual(['{"a":1}']);
});

test("a line without end is malformed before it fills the memory", async () => {
  const piece = new TextEncoder().encode("x".repeat(1024 * 1024));
  let pieces = 0;
  const endless = async function* () {
    for (;;) {
      pieces++;
      yield piece;
    }
  };
  const reading = ndjsonFrames(endless()).next();
  await expect(reading).rejects.toMatchObject({ fault: { kind: "malformed" } });
  expect(pieces).toBeLessThan(40);
});
