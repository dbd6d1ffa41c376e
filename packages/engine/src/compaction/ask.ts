/** Asks models for a text, one after the other until one gives it: the only place where compaction meets a model. */

import type { Timeouts } from "@omp/ai";
import type { AssistantMessage, Model, ProviderFault } from "@omp/ai/schema";
import { sleep, UserError, type Clock, type Random } from "@omp/std";
import { decideRetry } from "../conversation/retry.ts";
import type { AskModel } from "../ledger/door.ts";
import type { CurrentModel } from "../model/active-model.ts";
import { selectorOf } from "../model/match.ts";
import { modelOfRole, type SmallModelsDeps } from "../model/small-models.ts";
import { textOf } from "../sessions/tree-target.ts";

export interface AskDeps extends SmallModelsDeps {
  readonly ask: AskModel;
  readonly clock: Clock;
  readonly random: Random;
  timeoutsFor(model: Model): Partial<Timeouts> | undefined;
}

export interface TextWish {
  readonly systemPrompt: string;
  /** The window of each model is its own. */
  content(model: Model): string;
  readonly maxTokens: number;
  /** Models that have failed for this summary: they are not asked again. */
  readonly failed: Set<string>;
}

export interface GivenText {
  readonly text: string;
  /** `provider/id` */
  readonly model: string;
}

/** @throws UserError with the reason of the last one, when none gives it */
export async function askForText(
  wish: TextWish,
  deps: AskDeps,
  signal: AbortSignal,
): Promise<GivenText> {
  const all = await candidatesOf(deps);
  const candidates = all.filter(({ model }) => !wish.failed.has(selectorOf(model)));
  let reason = "the model said nothing";
  for (const [index, current] of candidates.entries()) {
    const isLast = index === candidates.length - 1;
    const answer = await askOne(current, wish, { ...deps, isLast }, signal);
    if (signal.aborted) break;
    const text = textOf(answer.content).trim();
    if (answer.stopReason !== "error" && text !== "")
      return { text, model: selectorOf(current.model) };
    wish.failed.add(selectorOf(current.model));
    reason = answer.errorMessage ?? reason;
  }
  throw new UserError("session", reason);
}

const ROLES = ["smol", "slow", "default"] as const;

/** The session's own model first: it knows the matter best. Each once. */
async function candidatesOf(deps: AskDeps): Promise<readonly CurrentModel[]> {
  const { active, roles } = deps;
  const candidates = [active.current];
  for (const role of new Set([...ROLES, ...Object.keys(roles)])) {
    const current = roles[role] ? await modelOfRole(role, deps) : undefined;
    const isNew = ({ model }: CurrentModel) =>
      candidates.every((known) => selectorOf(known.model) !== selectorOf(model));
    if (current && isNew(current)) candidates.push(current);
  }
  return candidates;
}

/** A small budget: behind each of these requests a person waits. */
const RETRY = { enabled: true, maxRetries: 2, baseDelayMs: 500, maxDelayMs: 60_000 };
/** Rather than wait longer than this, another model is asked. */
const LONG_WAIT_MS = 5000;

async function askOne(
  current: CurrentModel,
  wish: TextWish,
  deps: AskDeps & { readonly isLast: boolean },
  signal: AbortSignal,
): Promise<AssistantMessage> {
  for (let retries = 0; ; retries++) {
    const { message, fault } = await request(current, wish, deps, signal);
    if (signal.aborted || message.stopReason !== "error") return message;
    const delayMs = waitFor({ message, fault, retries }, deps);
    if (delayMs === undefined || (delayMs > LONG_WAIT_MS && !deps.isLast)) return message;
    await sleep(deps.clock, delayMs, signal);
  }
}

interface Failed {
  readonly message: AssistantMessage;
  readonly fault: ProviderFault | undefined;
  readonly retries: number;
}

/** Nobody has seen a part of a summary, so it can be made again whatever came of it. */
function waitFor({ message, fault, retries }: Failed, { random }: AskDeps): number | undefined {
  const unseen = { fault, retries, message: { ...message, content: [] } };
  const decision = decideRetry(unseen, RETRY, random.next());
  return decision.retry ? decision.delayMs : undefined;
}

async function request(
  { model, apiKey, sign, fetch }: CurrentModel,
  { systemPrompt, content, maxTokens }: TextWish,
  { ask, clock, timeoutsFor }: AskDeps,
  signal: AbortSignal,
) {
  const said = {
    role: "user",
    content: content(model),
    timestamp: clock.now(),
    attribution: "agent",
  } as const;
  const turn = ask(
    "compaction",
    {
      model,
      systemPrompt,
      tools: [],
      messages: [said],
      maxTokens: Math.min(maxTokens, model.maxTokens),
    },
    { apiKey, sign, clock, fetch, signal, timeouts: timeoutsFor(model) },
  );
  const final = await turn.result;
  return { message: final.message, fault: final.type === "error" ? final.fault : undefined };
}
