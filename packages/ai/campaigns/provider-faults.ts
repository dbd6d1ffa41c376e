/** Every protocol, every kind of fault, at every byte: a stream ends once, says why, and invents nothing. */

import type { Campaign } from "@omp/testkit";
import { protocols } from "../src/protocols/registry.ts";
import { FAULTS, played, wholeAnswer, type Case, type Whole } from "../test/faults.ts";
import { subjects } from "../test/subjects.ts";

/** The streams are two to seven thousand bytes long: each fault strikes at each of them. */
const PLACES = 8_192;
/** Cases that wait for a silence to end should not do so one after the other. */
const SIDE_BY_SIDE = 8;

const campaign: Campaign = {
  name: "provider-faults",
  describe:
    "Faults at every byte of every protocol's stream end it once, clearly, and complete no tool call.",
  fullCount: FAULTS.length * Object.keys(protocols).length * PLACES,
  async run({ count, random, report }) {
    const missing = Object.keys(protocols).filter((id) => !subjects.some(({ api }) => api === id));
    if (missing.length > 0) throw new Error(`nobody plays ${missing.join(", ")}`);
    const wholes = new Map<string, Whole>();
    for (const provider of subjects) wholes.set(provider.api, await wholeAnswer(provider));
    const isFull = count >= campaign.fullCount;
    const numbers = Array.from({ length: count }, (_, index) =>
      isFull ? index % campaign.fullCount : Math.floor(random.next() * campaign.fullCount),
    );
    const next = numbers.values();
    const work = async () => {
      for (const number of next) {
        const chosen = caseOf(number);
        const name = `${number}: ${chosen.provider.api}, ${chosen.kind} at ${chosen.share.toFixed(4)}`;
        const why = await played(chosen, wholes.get(chosen.provider.api)!).catch(String);
        report(
          why === undefined
            ? { case: name, result: "passed" }
            : { case: name, result: "failed", why },
        );
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  },
};

export default campaign;

function caseOf(number: number): Case {
  const kind = FAULTS[number % FAULTS.length]!;
  const rest = Math.floor(number / FAULTS.length);
  const provider = subjects[rest % subjects.length]!;
  return { provider, kind, share: (Math.floor(rest / subjects.length) % PLACES) / PLACES };
}
