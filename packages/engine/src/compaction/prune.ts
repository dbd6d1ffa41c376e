/** Which old tool results are not worth their room any more. Pure. */

import type { ToolResultMessage } from "@omp/ai/schema";
import type { SessionEntry } from "@omp/session";
import { messageOf, roleOf } from "./entry-kind.ts";
import { contentTokens } from "./tokens.ts";

/** Tokens of the newest results that stay. */
const PROTECTED_TOKENS = 40_000;
/** Less than this is not worth the cache that it costs. */
const MIN_SAVED_TOKENS = 20_000;
/** What these say is looked at again and again. */
const NEVER: ReadonlySet<string> = new Set(["skill", "read"]);

/** Entry to the tokens it had. */
export type Pruning = Readonly<Record<string, number>>;

/**
 * Undefined where it is not worth while.
 * @param entries what the model sees, oldest first
 * @param isPruned whether an entry was pruned before
 */
export function planPruning(
  entries: readonly SessionEntry[],
  isPruned: (id: string) => boolean,
): Pruning | undefined {
  const pruned: Record<string, number> = {};
  let seen = 0;
  let saved = 0;
  for (const entry of entries.toReversed()) {
    const message = resultIn(entry);
    if (!message || isPruned(entry.id)) continue;
    const tokens = contentTokens(message.content);
    seen += tokens;
    if (seen <= PROTECTED_TOKENS || NEVER.has(message.toolName)) continue;
    pruned[entry.id] = tokens;
    saved += tokens;
  }
  return saved < MIN_SAVED_TOKENS ? undefined : pruned;
}

/**
 * When even what was kept does not fit: the largest results go, until so many tokens are saved.
 * Undefined where none is left.
 */
export function planTightPruning(
  entries: readonly SessionEntry[],
  isPruned: (id: string) => boolean,
  needed: number,
): Pruning | undefined {
  const results = entries.flatMap((entry) => {
    const message = isPruned(entry.id) ? undefined : resultIn(entry);
    if (!message) return [];
    return { id: entry.id, tokens: contentTokens(message.content) };
  });
  const pruned: Record<string, number> = {};
  let left = needed;
  for (const { id, tokens } of results.toSorted((a, b) => b.tokens - a.tokens)) {
    if (left <= 0) break;
    pruned[id] = tokens;
    left -= tokens;
  }
  return Object.keys(pruned).length === 0 ? undefined : pruned;
}

function resultIn(entry: SessionEntry): ToolResultMessage | undefined {
  const message = roleOf(entry) === "toolResult" ? messageOf(entry) : undefined;
  return message?.role === "toolResult" ? message : undefined;
}
