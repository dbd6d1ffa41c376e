/** What was chosen along a branch: the latest of each wins. Pure. */

import { fieldsOf, isRecord, type Fields, type SessionEntry } from "./entry.ts";

export interface Choices {
  /** `provider/id` of the default model. */
  readonly model?: string;
  /** `provider/id` by role, the default one included. */
  readonly roleModels: ReadonlyMap<string, string>;
  /** Null is "no thinking"; absent is "never chosen". */
  readonly thinkingLevel?: string | null;
  /** By provider family. */
  readonly serviceTier?: Fields | null;
  readonly mode?: string;
  /** Names of the rules the model has already been shown. */
  readonly injectedRules: readonly string[];
}

interface Draft {
  readonly roleModels: Map<string, string>;
  readonly injectedRules: Set<string>;
  thinkingLevel?: string | null;
  serviceTier?: Fields | null;
  mode?: string;
}

const DEFAULT_ROLE = "default";

export function choicesOf(branch: readonly SessionEntry[]): Choices {
  const draft: Draft = { roleModels: new Map(), injectedRules: new Set() };
  for (const entry of branch) FOLDS.get(entry.type)?.(draft, fieldsOf(entry));
  const { roleModels, injectedRules, ...latest } = draft;
  // Files from before there was `model_change` name the model only in its answers.
  const model = roleModels.get(DEFAULT_ROLE) ?? answeringModel(branch);
  return {
    ...latest,
    roleModels,
    injectedRules: [...injectedRules],
    ...(model !== undefined && { model }),
  };
}

const FOLDS: ReadonlyMap<string, (draft: Draft, fields: Fields) => void> = new Map([
  ["model_change", foldModel],
  ["thinking_level_change", foldThinkingLevel],
  ["service_tier_change", foldServiceTier],
  ["mode_change", foldMode],
  ["ttsr_injection", foldInjectedRules],
]);

/** pi wrote `provider` and `modelId` where we write `model`. */
function foldModel(draft: Draft, { model, role, provider, modelId }: Fields): void {
  const of = typeof role === "string" && role !== "" ? role : DEFAULT_ROLE;
  if (typeof model === "string") draft.roleModels.set(of, model);
  else if (typeof provider === "string" && typeof modelId === "string")
    draft.roleModels.set(of, `${provider}/${modelId}`);
}

/** Looks at messages from the end, and at no more than it must: each may still have to be fetched. */
function answeringModel(branch: readonly SessionEntry[]): string | undefined {
  for (const entry of branch.toReversed()) {
    const { message } = entry.type === "message" ? fieldsOf(entry) : {};
    if (!isRecord(message) || message.role !== "assistant") continue;
    const { provider, model } = message;
    if (typeof provider === "string" && typeof model === "string") return `${provider}/${model}`;
  }
  return undefined;
}

function foldThinkingLevel(draft: Draft, { thinkingLevel }: Fields): void {
  if (typeof thinkingLevel === "string" || thinkingLevel === null)
    draft.thinkingLevel = thinkingLevel;
}

/** Older files have one word for the whole, which only OpenAI knew. */
function foldServiceTier(draft: Draft, { serviceTier }: Fields): void {
  if (typeof serviceTier === "string") draft.serviceTier = { openai: serviceTier };
  else if (isRecord(serviceTier) || serviceTier === null) draft.serviceTier = serviceTier;
}

function foldMode(draft: Draft, { mode }: Fields): void {
  if (typeof mode === "string") draft.mode = mode;
}

function foldInjectedRules(draft: Draft, { injectedRules }: Fields): void {
  if (!Array.isArray(injectedRules)) return;
  for (const name of injectedRules) if (typeof name === "string") draft.injectedRules.add(name);
}
