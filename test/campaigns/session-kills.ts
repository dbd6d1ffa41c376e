/** Killed before any call into the system, a program leaves a store that holds what it acknowledged and can be written. */

import { messageOf } from "@omp/std";
import type { Campaign } from "@omp/testkit";
import { nameOf, onStore, spread, type Point } from "../support/points.ts";
import { accountOf, faultOfStore } from "../support/store.ts";

const campaign: Campaign = {
  name: "session-kills",
  describe: "After SIGKILL every acknowledged entry is in a session that opens and can be written.",
  fullCount: 1_000,
  async run({ count, random, report }) {
    let left = count;
    for await (const point of spread(count, random)) {
      if (left === 0) return;
      const outcome = await killedAt(point).catch((error) => ({ why: messageOf(error) }));
      // Threads share the calls as they like, and how much is opened before the start varies.
      if (outcome === "survived") continue;
      left -= 1;
      const name = nameOf(point);
      if (outcome === "sound") report({ case: name, result: "passed" });
      else report({ case: name, result: "failed", why: outcome.why });
    }
  },
};

export default campaign;

type Outcome = "sound" | "survived" | { readonly why: string };

function killedAt(point: Point): Promise<Outcome> {
  const inject = `${point.call}:signal=KILL:when=${point.at}`;
  return onStore(point, { inject }, async ({ folder, lines }) => {
    if (lines[0] !== "START" || lines.at(-1) === "CLOSED") return "survived";
    const { bug, acknowledged } = accountOf(lines);
    const why = bug ?? (await faultOfStore(folder, { ...point, wanted: acknowledged }));
    return why === undefined ? "sound" : { why: `${why} (${lines.join(", ")})` };
  });
}
