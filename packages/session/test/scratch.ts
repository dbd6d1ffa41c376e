/** What the tests of this package share: a folder that goes away, fixed doors, and entries to fill logs with. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssistantBlock, AssistantMessage, StopReason } from "@omp/ai/schema";
import { NO_TOKENS, usageOf } from "@omp/ai/schema";
import type { EntryDraft, Fields } from "@omp/session";
import { seededRandom, systemClock, type Clock } from "@omp/std";

export function scratch(): { readonly folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "omp-session-"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A clock that moves a second with each look, from a fixed moment. */
export function doors(seed = 1) {
  let now = Date.UTC(2026, 0, 2, 3, 4, 5, 678) - 1000;
  const clock: Clock = { ...systemClock, now: () => (now += 1000) };
  return { clock, random: seededRandom(seed) };
}

export function golden(name: string): string {
  return join(import.meta.dir, "golden", `${name}.jsonl`);
}

export function linesOf(path: string): Fields[] {
  const text = readFileSync(path, "utf8");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line): Fields => JSON.parse(line));
}

export function jsonl(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

export function said(text: string): EntryDraft {
  return { type: "message", message: { role: "user", content: text, timestamp: 1 } };
}

export function answer(
  content: AssistantBlock[],
  stopReason: StopReason = "stop",
): AssistantMessage {
  const usage = usageOf(NO_TOKENS, NO_TOKENS);
  return {
    role: "assistant",
    content,
    api: "anthropic-messages",
    provider: "bench",
    model: "bench-model",
    usage,
    stopReason,
    timestamp: 2,
  };
}

export function answered(text: string): EntryDraft {
  return { type: "message", message: answer([{ type: "text", text }]) };
}

export function call(id: string): AssistantBlock {
  return { type: "toolCall", id, name: "bash", arguments: { command: "true" } };
}

export function result(toolCallId: string): EntryDraft {
  const content = [{ type: "text", text: `result of ${toolCallId}` }] as const;
  return {
    type: "message",
    message: {
      role: "toolResult",
      toolCallId,
      toolName: "bash",
      content,
      isError: false,
      timestamp: 3,
    },
  };
}
