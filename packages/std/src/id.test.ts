/** Shape and order of identifiers. */

import { describe, expect, test } from "bun:test";
import { systemClock } from "./clock.ts";
import { shortId, uuidV7 } from "./id.ts";
import { seededRandom } from "./random.ts";

describe("ids", () => {
  test("a UUIDv7 has its version, its variant and the time in front", () => {
    const at = (now: number) => uuidV7({ ...systemClock, now: () => now }, seededRandom(now));
    expect(at(0x0123_4567_89ab)).toMatch(
      /^01234567-89ab-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
    expect([at(2000), at(1000), at(3000)].sort()).toEqual([at(1000), at(2000), at(3000)]);
  });

  test("a short id is one that is not taken", () => {
    const taken = shortId(seededRandom(1), () => false);
    expect(taken).toMatch(/^[\da-f]{8}$/);
    expect(shortId(seededRandom(1), (id) => id === taken)).not.toBe(taken);
  });
});
