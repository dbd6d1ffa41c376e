import { sampleCampaign } from "@omp/testkit";
import { test } from "bun:test";
import settingsLayers from "../campaigns/settings-layers.ts";

test("any stack of settings gives the value of a plain model, and why names who decided", async () => {
  await sampleCampaign(settingsLayers, { seed: 1, count: 100 });
});
