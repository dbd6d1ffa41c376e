/** A sample of the campaign; `npm run campaign -- provider-faults --seed 1` tries every byte. */

import { sampleCampaign } from "@omp/testkit";
import { test } from "bun:test";
import campaign from "../campaigns/provider-faults.ts";

test("faults anywhere in any protocol's stream end it once, clearly, and complete no tool call", async () => {
  await sampleCampaign(campaign, { seed: 11, count: 400 });
});
