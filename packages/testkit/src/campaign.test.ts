/** The frame of campaigns, and a sample of the one that lives here. */

import { expect, test } from "bun:test";
import wireCuts from "../campaigns/wire-cuts.ts";
import { runCampaign, sampleCampaign, type Campaign, type CampaignCall } from "./index.ts";

const campaign = (run: (call: CampaignCall) => Promise<void>): Campaign => ({
  name: "sample",
  describe: "A sample.",
  fullCount: 4,
  run,
});

test("passed cases are counted; failed and skipped ones are failures", async () => {
  const mixed = campaign(async ({ report }) => {
    report({ case: "a", result: "passed" });
    report({ case: "b", result: "failed", why: "1 is not 2" });
    report({ case: "c", result: "skipped", why: "no network" });
    report({ case: "d", result: "passed" });
  });
  expect(await runCampaign(mixed, { seed: 5 })).toEqual({
    passed: 2,
    total: 4,
    seed: 5,
    failures: [
      { case: "b", why: "1 is not 2" },
      { case: "c", why: "skipped: no network" },
    ],
  });
  await expect(sampleCampaign(mixed, { seed: 5, count: 4 })).rejects.toThrow(
    "sample (seed 5): 2 of 4 passed\n  b: 1 is not 2",
  );
});

test("cases that are not reported are failures", async () => {
  const lazy = campaign(async ({ report }) => report({ case: "a", result: "passed" }));
  expect(await runCampaign(lazy, { seed: 1 })).toMatchObject({ passed: 1, total: 4 });
  const broken = campaign(async () => {
    throw new Error("no disk");
  });
  const result = await runCampaign(broken, { seed: 1 });
  expect(result).toMatchObject({ passed: 0, total: 4 });
  expect(result.failures[0]).toEqual({ case: "the campaign itself", why: "no disk" });
});

test("the same seed gives the same cases, another seed others", async () => {
  const drawn = async (seed: number) => {
    const cases: string[] = [];
    const draw = campaign(async ({ count, random }) => {
      for (let i = 0; i < count; i++) cases.push(String(random.next()));
    });
    await runCampaign(draw, { seed });
    return cases;
  };
  expect(await drawn(7)).toEqual(await drawn(7));
  expect(await drawn(7)).not.toEqual(await drawn(8));
});

test("wire-cuts holds for a sample", async () => {
  await sampleCampaign(wireCuts, { seed: 20_261_115, count: 25 });
});
