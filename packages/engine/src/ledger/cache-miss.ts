/** Why a provider read less from its cache than it could have: the first part of the prefix that changed. Pure. */

import type { Message, ToolSchema, Usage } from "@omp/ai/schema";
import type { CacheMiss, MissReason } from "../protocol/commands/ledger.ts";

/** What a provider's cache is keyed by, in the order it is written in. */
export interface Prefix {
  /** `provider/id` */
  readonly model: string;
  readonly thinking: string;
  readonly tools: readonly ToolSchema[];
  readonly systemPrompt: string | readonly string[];
  /** Finished messages never change, so two lists are compared by their members' identity. */
  readonly messages: readonly Message[];
}

/** A request that was answered. */
export interface Answered {
  readonly prefix: Prefix;
  readonly usage: Usage;
  readonly atMs: number;
}

/** Providers cache in blocks and round down; less than this is no miss. */
const ROUNDING = 2048;

/**
 * @param seen whether this model has ever said anything about a cache; without that there is none
 */
export function cacheMissOf(
  before: Answered | undefined,
  now: Answered,
  seen: boolean,
): CacheMiss | undefined {
  if (!before || !seen) return undefined;
  const { input, cacheRead, cacheWrite } = before.usage;
  const tokens = input + cacheRead + cacheWrite - now.usage.cacheRead;
  if (tokens < ROUNDING) return undefined;
  const reason = changeIn(before.prefix, now.prefix) ?? {
    kind: "expired",
    idleMs: now.atMs - before.atMs,
  };
  return { reason, tokens };
}

function changeIn(before: Prefix, now: Prefix): MissReason | undefined {
  if (before.model !== now.model) return { kind: "model", before: before.model };
  const tools = changedTools(before.tools, now.tools);
  if (tools) return tools;
  const [promptBefore, promptNow] = [textOf(before.systemPrompt), textOf(now.systemPrompt)];
  if (promptBefore !== promptNow) {
    return { kind: "system-prompt", at: firstDifference(promptBefore, promptNow) };
  }
  if (before.thinking !== now.thinking) return { kind: "thinking", before: before.thinking };
  const index = before.messages.findIndex((message, at) => now.messages[at] !== message);
  return index < 0 ? undefined : { kind: "messages", index };
}

function changedTools(
  before: readonly ToolSchema[],
  now: readonly ToolSchema[],
): MissReason | undefined {
  if (before === now) return undefined;
  const isSame = (tool: ToolSchema, other: ToolSchema | undefined) =>
    tool.name === other?.name &&
    tool.description === other.description &&
    tool.parameters === other.parameters;
  if (before.length === now.length && before.every((tool, at) => isSame(tool, now[at]))) {
    return undefined;
  }
  const names = (list: readonly ToolSchema[]) => new Set(list.map(({ name }) => name));
  return {
    kind: "tools",
    added: [...names(now).difference(names(before))],
    removed: [...names(before).difference(names(now))],
  };
}

function textOf(prompt: string | readonly string[]): string {
  return typeof prompt === "string" ? prompt : prompt.join("\n\n");
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
