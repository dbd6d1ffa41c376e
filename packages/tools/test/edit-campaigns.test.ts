/** Small samples of the campaigns about edits. */

import { test } from "bun:test";
import { sampleCampaign } from "@omp/testkit";
import hashlineEdits from "../campaigns/hashline-edits.ts";
import staleEdits from "../campaigns/stale-edits.ts";

test("random edits are exact", () => sampleCampaign(hashlineEdits, { seed: 1, count: 1000 }));

test("no stale edit lands elsewhere", () => sampleCampaign(staleEdits, { seed: 1, count: 1000 }));
