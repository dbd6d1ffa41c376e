/** Summaries that others make: a server of the person's own, or the provider of the model. */

import type { FetchLike } from "@omp/ai";
import { compactHistory } from "@omp/ai";
import { contextOf, isRecord } from "@omp/session";
import { log, messageOf, type Clock } from "@omp/std";
import type { ActiveModel } from "../model/active-model.ts";
import type { CompactionSettings } from "../settings/schema/compaction.ts";
import type { CompactionPlan } from "./plan.ts";

/** Each answers undefined where it cannot: the local way is used then. */
export interface Remote {
  /** What the provider puts in the place of the history, for `preserveData`. */
  replacement(
    plan: CompactionPlan,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** A text from the person's own server. */
  text(systemPrompt: string, prompt: string, signal: AbortSignal): Promise<string | undefined>;
}

export interface RemoteDeps {
  readonly active: Pick<ActiveModel, "current">;
  readonly settings: Pick<CompactionSettings, "remoteEnabled" | "remoteEndpoint">;
  readonly clock: Clock;
  readonly fetch: FetchLike;
  systemPrompt(): string | readonly string[];
}

/** The only vendors that compact by themselves. */
const PROVIDERS: ReadonlySet<string> = new Set(["openai", "openai-codex"]);
const MAX_WAIT_MS = 120_000;

export function createRemote(deps: RemoteDeps): Remote {
  const { remoteEnabled, remoteEndpoint } = deps.settings;
  return {
    async replacement(plan, signal) {
      const { model, apiKey, sign, fetch } = deps.active.current;
      if (!remoteEnabled || remoteEndpoint !== "" || !PROVIDERS.has(model.provider))
        return undefined;
      const entries = [...plan.history, ...plan.prefix];
      const { messages } = contextOf(plan.previous ? [plan.previous, ...entries] : entries);
      return attempt("responses/compact", signal, async (limited) => {
        const request = { model, systemPrompt: deps.systemPrompt(), messages, tools: [] };
        const items = await compactHistory(request, {
          apiKey,
          sign,
          fetch,
          clock: deps.clock,
          signal: limited,
        });
        const { provider, id } = model;
        return { openaiRemoteCompaction: { provider, model: id, replacementHistory: items } };
      });
    },
    async text(systemPrompt, prompt, signal) {
      if (!remoteEnabled || remoteEndpoint === "") return undefined;
      return attempt(remoteEndpoint, signal, async (limited) => {
        const response = await deps.fetch(remoteEndpoint, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json" },
          body: JSON.stringify({ systemPrompt, prompt }),
          signal: limited,
        });
        const answer: unknown = response.ok ? await response.json() : undefined;
        if (isRecord(answer) && typeof answer.summary === "string" && answer.summary.trim() !== "")
          return answer.summary.trim();
        throw new Error(`status ${response.status}, no summary`);
      });
    },
  };
}

/** Whatever goes wrong is a reason to go the local way, and worth a line in the log. */
async function attempt<Value>(
  what: string,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await work(AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]));
  } catch (error) {
    if (!signal.aborted) log.warn("remote-compaction-failed", { what, error: messageOf(error) });
    return undefined;
  }
}
