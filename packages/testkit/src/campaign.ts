/** Campaigns: thousands of seeded cases of one claim. A case has passed or failed; there is no third way. */

import { messageOf, seededRandom, type Random } from "@omp/std";

export interface Campaign {
  readonly name: string;
  /** The claim, in one sentence. */
  readonly describe: string;
  /** Cases at full size. */
  readonly fullCount: number;
  /** Reports `count` cases. The same seed gives the same cases. */
  run(call: CampaignCall): Promise<void>;
}

export interface CampaignCall {
  readonly seed: number;
  readonly count: number;
  readonly random: Random;
  report(outcome: CaseOutcome): void;
}

/** `why` must be enough to understand a failure. A skip counts as failed. */
export type CaseOutcome =
  | { readonly case: string; readonly result: "passed" }
  | { readonly case: string; readonly result: "failed" | "skipped"; readonly why: string };

export interface CampaignResult {
  readonly passed: number;
  readonly total: number;
  readonly seed: number;
  readonly failures: readonly CampaignFailure[];
}

export interface CampaignFailure {
  readonly case: string;
  readonly why: string;
}

export async function runCampaign(
  campaign: Campaign,
  { seed, count = campaign.fullCount }: { readonly seed: number; readonly count?: number },
): Promise<CampaignResult> {
  const failures: CampaignFailure[] = [];
  let reported = 0;
  const report = (outcome: CaseOutcome) => {
    reported += 1;
    if (outcome.result === "passed") return;
    const why = outcome.result === "skipped" ? `skipped: ${outcome.why}` : outcome.why;
    failures.push({ case: outcome.case, why });
  };
  try {
    await campaign.run({ seed, count, random: seededRandom(seed), report });
  } catch (error) {
    failures.push({ case: "the campaign itself", why: messageOf(error) });
    reported += 1;
  }
  const missing = count - reported;
  if (missing > 0) failures.push({ case: "missing", why: `${missing} cases were not reported` });
  const total = Math.max(count, reported);
  const failed = failures.length + Math.max(0, missing - 1);
  return { passed: total - failed, total, seed, failures };
}

/** A small sample for `bun test`. Rejects with the failures. */
export async function sampleCampaign(
  campaign: Campaign,
  size: { readonly seed: number; readonly count: number },
): Promise<void> {
  const { passed, total, failures } = await runCampaign(campaign, size);
  if (failures.length === 0) return;
  const lines = failures.slice(0, 10).map((failure) => `  ${failure.case}: ${failure.why}`);
  const claim = `${campaign.name} (seed ${size.seed}): ${passed} of ${total} passed`;
  throw new Error([claim, ...lines].join("\n"));
}
