/** A sample of the campaign; `npm run campaign -- compaction --seed 1` runs all of it. */

import { sampleCampaign } from "@omp/testkit";
import { test } from "bun:test";
import campaign from "../campaigns/compaction.ts";

test("generated sessions survive their compactions", async () => {
  await sampleCampaign(campaign, { seed: 11, count: 12 });
}, 60_000);
