/** Made-up histories of a session, random and seeded, with everything that entries can be. */

import { NO_TOKENS, usageOf, type AssistantMessage, type ToolCallBlock } from "@omp/ai/schema";
import { SessionLog, type EntryDraft, type StoredMessage } from "@omp/session";
import { seededRandom, systemClock, type Random } from "@omp/std";

export function emptyLog(seed = 1): SessionLog {
  const doors = { clock: systemClock, random: seededRandom(seed) };
  return SessionLog.create({ cwd: "/work", folder: undefined, ...doors });
}

export function user(text: string): EntryDraft {
  return message({ role: "user", content: text, timestamp: 1 });
}

export function assistant(
  text: string,
  calls: readonly ToolCallBlock[] = [],
  more: Partial<AssistantMessage> = {},
): EntryDraft {
  return message({
    role: "assistant",
    content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls],
    api: "openai-completions",
    provider: "house",
    model: "small",
    usage: usageOf(NO_TOKENS, NO_TOKENS),
    stopReason: calls.length > 0 ? "toolUse" : "stop",
    timestamp: 1,
    ...more,
  });
}

export function call(id: string, name: string, args: Record<string, unknown> = {}): ToolCallBlock {
  return { type: "toolCall", id, name, arguments: args };
}

export function result(id: string, name: string, text: string, isError = false): EntryDraft {
  const content = [{ type: "text" as const, text }];
  return message({
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content,
    isError,
    timestamp: 1,
  });
}

export function message(stored: StoredMessage): EntryDraft {
  return { type: "message", message: stored };
}

/** About `length` entries: turns with tools, things run by hand, choices, marks, failures, summaries. */
export function randomHistory(
  random: Random,
  length: number,
  { log = emptyLog(Math.floor(random.next() * 1e9)), compacts = true } = {},
): SessionLog {
  let serial = 0;
  const words = (most: number) => "word ".repeat(1 + Math.floor(random.next() * most));
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random.next() * items.length)]!;
  let isSettled = true;
  const answer = () => {
    // No model answers itself.
    if (isSettled) log.append(user(words(60)));
    const calls = Array.from({ length: Math.floor(random.next() * 4) }, () =>
      call(`call_${serial++}`, pick(["read", "write", "edit", "bash"]), { path: `f${serial}.ts` }),
    );
    isSettled = calls.length === 0;
    const isFailed = random.next() < 0.05;
    log.append(
      assistant(words(80), calls, isFailed ? { stopReason: "error", errorMessage: "broken" } : {}),
    );
    for (const { id, name } of calls) {
      isSettled ||= random.next() < 0.05;
      if (isSettled) continue;
      if (random.next() < 0.05) log.append(user(words(10)));
      log.append(result(id, name, words(400), random.next() < 0.2));
    }
  };
  const kinds: readonly (() => void)[] = [
    () => log.append(user(words(60))),
    answer,
    answer,
    answer,
    () =>
      log.append(message({ role: "bashExecution", command: "ls", output: words(50), exitCode: 0 })),
    () => log.append(message({ role: "fileMention", files: [{ path: "a", content: words(50) }] })),
    () => log.append(message({ role: "hookMessage", content: words(20) })),
    () => log.append(message({ role: "developer", content: words(20), timestamp: 1 })),
    () => log.append(custom(words(20))),
    () => log.append({ type: "branch_summary", fromId: "root", summary: words(30) }),
    () => log.append({ type: "model_change", model: "house/small" }),
    () => log.append({ type: "thinking_level_change", thinkingLevel: "low" }),
    () => log.append({ type: "custom", customType: "note" }),
    () => log.leafId && log.setLabel(log.leafId, "here"),
    () => compacts && random.next() < 0.1 && oldCompaction(log, random),
  ];
  while (log.entries.length < length) pick(kinds)();
  return log;
}

function custom(content: string): EntryDraft {
  return { type: "custom_message", customType: "note", content, display: true };
}

function oldCompaction(log: SessionLog, random: Random): void {
  const users = log.branch().filter((entry) => {
    const { message: said } = entry as { message?: { role?: string } };
    return entry.type === "message" && said?.role === "user";
  });
  const kept = users[Math.floor(random.next() * users.length)];
  if (!kept) return;
  log.append({
    type: "compaction",
    summary: "what was before",
    firstKeptEntryId: kept.id,
    tokensBefore: 1,
  });
}
