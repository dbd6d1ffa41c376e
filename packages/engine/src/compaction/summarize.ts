/** Makes the summary of a plan: by a model, by a server, or without either. */

import type { Model } from "@omp/ai/schema";
import type { SessionEntry } from "@omp/session";
import { messageOf, UserError } from "@omp/std";
import type { CompactionWay } from "../protocol/commands/compaction.ts";
import type { CompactingChange } from "../protocol/hooks.ts";
import { askForText, type AskDeps, type GivenText } from "./ask.ts";
import { outlineOf } from "./outline.ts";
import type { CompactionPlan } from "./plan.ts";
import firstPrompt from "./prompts/summary.md" with { type: "text" };
import systemPrompt from "./prompts/system.md" with { type: "text" };
import prefixPrompt from "./prompts/turn-prefix.md" with { type: "text" };
import updatePrompt from "./prompts/update.md" with { type: "text" };
import type { Remote } from "./remote.ts";
import { bareSummary } from "./summary-text.ts";
import { transcriptOf } from "./transcript.ts";

export interface SummarizeDeps extends AskDeps {
  readonly remote: Remote;
  readonly reserveTokens: number;
}

export interface SummaryOrder {
  readonly plan: CompactionPlan;
  /** What the person wants the summary to be about. */
  readonly focus: string | undefined;
  readonly change: CompactingChange;
  readonly strategy: "model" | "outline";
  /** Without a summary the work cannot go on: an outline is better than nothing. */
  readonly isUrgent: boolean;
}

export interface MadeSummary {
  readonly text: string;
  readonly way: CompactionWay;
  /** Entries that went into it. */
  readonly used: ReadonlySet<string>;
  readonly model?: string;
  readonly because?: string;
  readonly preserveData?: Readonly<Record<string, unknown>>;
}

/** @throws UserError when no model gives one and it is not urgent; nothing has changed then */
export async function makeSummary(
  order: SummaryOrder,
  deps: SummarizeDeps,
  signal: AbortSignal,
): Promise<MadeSummary> {
  if (order.strategy === "outline") return outline(order);
  const replaced = await deps.remote.replacement(order.plan, signal);
  // The words are for models that cannot read what the provider has sealed.
  if (replaced) return { ...outline(order), way: "remote", preserveData: replaced };
  try {
    return await written(order, deps, signal);
  } catch (error) {
    if (!order.isUrgent || signal.aborted || !(error instanceof UserError)) throw error;
    return { ...outline(order), because: messageOf(error) };
  }
}

const NO_HISTORY = "There was nothing before this turn.";
const SPLIT = "\n\n---\n\n**Turn Context (split turn):**\n\n";

async function written(
  order: SummaryOrder,
  deps: SummarizeDeps,
  signal: AbortSignal,
): Promise<MadeSummary> {
  const { plan } = order;
  const previous = plan.previous && bareSummary(plan.previous);
  const used = new Set<string>();
  const failed = new Set<string>();
  const give = async (part: Part): Promise<GivenText> => {
    const given = await textFor(part, { ...order, failed }, deps, signal);
    for (const id of part.lastUsed) used.add(id);
    return given;
  };
  let model: string | undefined;
  let text = previous ?? NO_HISTORY;
  if (plan.history.length > 0 || plan.prefix.length === 0) {
    const own = previous === undefined ? firstPrompt : updatePrompt;
    const prompt = order.change.prompt ?? own;
    const given = await give(new Part(plan.history, prompt, deps.reserveTokens, previous));
    ({ text, model } = given);
  }
  if (plan.prefix.length > 0) {
    const given = await give(new Part(plan.prefix, prefixPrompt, deps.reserveTokens));
    text += SPLIT + given.text;
    model ??= given.model;
  }
  return { text, way: "model", used, ...(model !== undefined && { model }) };
}

/** One of the texts that a summary is made of. */
class Part {
  /** What the latest request told of. */
  lastUsed: ReadonlySet<string> = new Set();

  constructor(
    readonly entries: readonly SessionEntry[],
    readonly prompt: string,
    readonly reserveTokens: number,
    readonly previous?: string,
  ) {}

  content({ contextWindow }: Model, { focus, change }: SummaryOrder): string {
    const room = contextWindow - Math.min(this.reserveTokens, contextWindow / 2);
    const { text, used } = transcriptOf(this.entries, room - (this.previous?.length ?? 0) / 3);
    this.lastUsed = used;
    const { context = [] } = change;
    const parts = [
      `<conversation>\n${text}\n</conversation>`,
      this.previous && `<previous-summary>\n${this.previous}\n</previous-summary>`,
      context.length > 0 && `<additional-context>\n${context.join("\n")}\n</additional-context>`,
      this.prompt.trim(),
      focus && `Above all, keep what matters for this: ${focus}`,
    ];
    return parts.filter((part) => typeof part === "string" && part !== "").join("\n\n");
  }
}

async function textFor(
  part: Part,
  order: SummaryOrder & { readonly failed: Set<string> },
  deps: SummarizeDeps,
  signal: AbortSignal,
): Promise<GivenText> {
  const system = systemPrompt.trim();
  const { model } = deps.active.current;
  const remote = await deps.remote.text(system, part.content(model, order), signal);
  if (remote !== undefined) return { text: remote, model: "remote" };
  return askForText(
    {
      systemPrompt: system,
      failed: order.failed,
      content: (candidate) => part.content(candidate, order),
      maxTokens: Math.max(MIN_SUMMARY_TOKENS, Math.floor(deps.reserveTokens * SUMMARY_SHARE)),
    },
    deps,
    signal,
  );
}

const MIN_SUMMARY_TOKENS = 2048;
/** What is left of the reserve is for what we add to the summary. */
const SUMMARY_SHARE = 0.8;

function outline({ plan }: SummaryOrder): MadeSummary {
  const entries = [...plan.history, ...plan.prefix];
  const previous = plan.previous && bareSummary(plan.previous);
  return { ...outlineOf(entries, previous), way: "outline" };
}

/** What the first line says, for lists and dividers. */
export function shortSummaryOf(text: string): string | undefined {
  const line = text.split("\n").find((one) => /\w/.test(one)) ?? "";
  const short = line.replace(/^[#*\s-]+|[*\s]+$/g, "").slice(0, MAX_SHORT);
  return short === "" ? undefined : short;
}

const MAX_SHORT = 160;
