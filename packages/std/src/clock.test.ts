/** Waiting, and being woken. */

import { describe, expect, test } from "bun:test";
import { sleep, systemClock } from "./clock.ts";

describe("clock", () => {
  test("sleep wakes at once when the signal aborts, before or during", async () => {
    const started = systemClock.monotonic();
    const controller = new AbortController();
    const sleeping = sleep(systemClock, 60_000, controller.signal);
    controller.abort();
    await sleeping;
    await sleep(systemClock, 60_000, controller.signal);
    expect(systemClock.monotonic() - started).toBeLessThan(10_000);
  });

  test("sleep lasts as long as it was told", async () => {
    const started = systemClock.monotonic();
    await sleep(systemClock, 15);
    expect(systemClock.monotonic() - started).toBeGreaterThanOrEqual(14);
  });
});
