/** What a session holds and has cost, counted over all its branches: paid is paid. Pure. */

import { fieldsOf, type SessionLog } from "@omp/session";
import type { SessionStats } from "../protocol/commands/session.ts";

export function statsOf(log: Pick<SessionLog, "entries" | "header" | "path">): SessionStats {
  const sum = new Sum();
  for (const entry of log.entries) {
    if (entry.type === "message") sum.add(fieldsOf(entry).message);
    if (entry.type === "custom") sum.addSide(fieldsOf(entry));
  }
  const { counts, tokens, cost } = sum;
  const total = tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
  return {
    ...(log.path === undefined ? {} : { sessionFile: log.path }),
    sessionId: log.header.id,
    ...counts,
    tokens: { ...tokens, total },
    cost,
  };
}

class Sum {
  readonly counts = {
    userMessages: 0,
    assistantMessages: 0,
    toolCalls: 0,
    toolResults: 0,
    totalMessages: 0,
  };
  readonly tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  cost = 0;

  /** Messages come from disk: what does not have its shape counts as a message and nothing more. */
  add(message: unknown): void {
    const { role, content, usage } = record(message);
    this.counts.totalMessages++;
    if (role === "user") this.counts.userMessages++;
    if (role === "toolResult") this.counts.toolResults++;
    if (role !== "assistant") return;
    this.counts.assistantMessages++;
    if (Array.isArray(content)) this.counts.toolCalls += content.filter(isToolCall).length;
    this.#addUsage(record(usage));
  }

  /** What a request beside the conversation cost: a title, a summary. */
  addSide({ customType, data }: Loose): void {
    if (customType === "usage") this.#addUsage(record(record(data).usage));
  }

  #addUsage({ input, output, cacheRead, cacheWrite, cost }: Loose): void {
    this.tokens.input += number(input);
    this.tokens.output += number(output);
    this.tokens.cacheRead += number(cacheRead);
    this.tokens.cacheWrite += number(cacheWrite);
    this.cost += number(record(cost).total);
  }
}

type Loose = Readonly<Record<string, unknown>>;

function record(value: unknown): Loose {
  return typeof value === "object" && value !== null ? (value as Loose) : {};
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function isToolCall(block: unknown): boolean {
  return record(block).type === "toolCall";
}
