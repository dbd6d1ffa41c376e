/** `/usage`: tokens and cost of the session, and why a provider's cache was missed. */

import { explainMiss } from "../../ledger/explain.ts";
import type { UsageReport } from "../../protocol/commands/ledger.ts";
import type { SessionStats } from "../../protocol/commands/session.ts";
import { done, type SlashCommand } from "../slash-command.ts";

/** The latest misses say enough. */
const SHOWN_MISSES = 5;

export const usage: SlashCommand = {
  name: "usage",
  description: "Show the tokens and the cost of this session, and why caches were missed",
  async run(_args, { dispatch }) {
    const stats = await dispatch({ type: "session_stats" });
    const report = await dispatch({ type: "usage_report" });
    return done([...sessionLines(stats), ...runLines(report)].join("\n"));
  },
};

function sessionLines({ tokens, cost }: SessionStats): string[] {
  const rows: readonly (readonly [string, number])[] = [
    ["Input", tokens.input],
    ["Output", tokens.output],
    ["Cache read", tokens.cacheRead],
    ["Cache write", tokens.cacheWrite],
    ["Total", tokens.total],
  ];
  const lines = rows.map(([name, count]) => `${`${name}:`.padEnd(13)}${count} tokens`);
  return [...lines, `${"Cost:".padEnd(13)}$${cost.toFixed(4)}`];
}

/** What this program alone has done, where it has done anything. */
function runLines({ total, cap, byModel, byPurpose, byAgent, cacheMisses }: UsageReport): string[] {
  if (total.requests === 0) return [];
  const limit = cap === undefined ? "" : ` of $${cap.toFixed(4)}`;
  const thinking = total.reasoning > 0 ? `, ${total.reasoning} tokens of thinking` : "";
  return [
    "",
    `This run: $${total.cost.toFixed(4)}${limit}, ${total.requests} requests${thinking}`,
    ...sums("by model", byModel),
    ...sums("by purpose", byPurpose),
    ...sums("by agent", byAgent),
    ...cacheMisses
      .slice(-SHOWN_MISSES)
      .flatMap(({ cacheMiss }) => (cacheMiss ? [explainMiss(cacheMiss)] : [])),
  ];
}

/** Nothing is said where there is nothing to tell apart. */
function sums(title: string, parts: UsageReport["byModel"]): string[] {
  const rows = Object.entries(parts);
  if (rows.length < 2) return [];
  return rows.map(
    ([name, { cost, requests }]) => `  ${title}: ${name} $${cost.toFixed(4)}, ${requests} requests`,
  );
}
