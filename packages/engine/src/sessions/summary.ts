/** What was worth keeping of a branch that is left: one request to the active model, without tools. */

import type { Timeouts } from "@omp/ai";
import type { AssistantMessage, Model } from "@omp/ai/schema";
import { contextOf, type SessionEntry } from "@omp/session";
import { UserError, type Clock } from "@omp/std";
import type { AskModel } from "../ledger/door.ts";
import type { ActiveModel } from "../model/active-model.ts";
import instructions from "./prompts/branch-summary.md" with { type: "text" };
import systemPrompt from "./prompts/branch-summary-system.md" with { type: "text" };
import { transcriptOf } from "./transcript.ts";
import { textOf } from "./tree-target.ts";

export interface SummaryDeps {
  readonly ask: AskModel;
  readonly active: Pick<ActiveModel, "current">;
  readonly reserveTokens: number;
  readonly clock: Clock;
  timeoutsFor(model: Model): Partial<Timeouts> | undefined;
}

export interface BranchToSum {
  /** Oldest first. */
  readonly abandoned: readonly SessionEntry[];
  /** Of the person, in place of ours. */
  readonly instructions?: string | undefined;
}

export type Summarize = (branch: BranchToSum, signal: AbortSignal) => Promise<string | undefined>;

/** Undefined where nothing was said, or when it was aborted. @throws UserError when the model fails */
export function createSummarize(deps: SummaryDeps): Summarize {
  return async (branch, signal) => {
    const { messages } = contextOf(branch.abandoned);
    if (messages.length === 0) return undefined;
    const { contextWindow } = deps.active.current.model;
    const told = transcriptOf(messages, Math.max(0, contextWindow - deps.reserveTokens));
    const wish = branch.instructions?.trim() || instructions.trim();
    const answer = await answerTo(
      `<conversation>\n${told}\n</conversation>\n\n${wish}`,
      deps,
      signal,
    );
    if (signal.aborted) return undefined;
    const summary = textOf(answer.content).trim();
    if (answer.stopReason !== "error" && summary !== "") return summary;
    const reason = answer.errorMessage ?? "the model said nothing";
    throw new UserError("session", `The branch could not be summarized: ${reason}. Nothing moved.`);
  };
}

async function answerTo(
  content: string,
  { ask, active, clock, timeoutsFor }: SummaryDeps,
  signal: AbortSignal,
): Promise<AssistantMessage> {
  const { model, apiKey, sign, fetch } = active.current;
  const turn = ask(
    "branch-summary",
    {
      model,
      systemPrompt: systemPrompt.trim(),
      tools: [],
      messages: [{ role: "user", content, timestamp: clock.now(), attribution: "agent" }],
    },
    { apiKey, sign, clock, fetch, signal, timeouts: timeoutsFor(model) },
  );
  return (await turn.result).message;
}
