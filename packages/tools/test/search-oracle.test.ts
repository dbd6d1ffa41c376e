/** A part of the campaign in every run of the tests. */

import { expect } from "bun:test";
import { runCampaign } from "@omp/testkit";
import { needs } from "../../../test/needs.ts";
import campaign from "../campaigns/search-oracle.ts";

needs("fdfind")(
  "find, search and the walk say what fd, ripgrep and git say",
  async () => {
    const { failures, passed } = await runCampaign(campaign, { seed: 3, count: 90 });
    expect(failures).toEqual([]);
    expect(passed).toBe(90);
  },
  60_000,
);
