import { expect, test } from "bun:test";
import { jpegTurned } from "../../test/pictures.ts";
import { orientationOf } from "./orientation.ts";

test("the orientation is read; what is cut off or no JPEG is upright", async () => {
  const turned = await jpegTurned(6, 4);
  expect(orientationOf(turned)).toBe(6);
  for (let length = 0; length < 34; length++) {
    expect(orientationOf(turned.subarray(0, length))).toBe(1);
  }
  expect(orientationOf(new TextEncoder().encode("no picture"))).toBe(1);
});
