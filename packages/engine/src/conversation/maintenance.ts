/** What a run asks of whoever keeps the conversation within the model's window. */

import type { AssistantMessage } from "@omp/ai/schema";

export type Trouble = "overflow" | "incomplete";

export interface Maintenance {
  /** Compacts between tool calls as well. */
  readonly isMidRun: boolean;
  /** Whether the conversation is too large after this answer. Old tool results may be pruned first. */
  isOver(answer: AssistantMessage): Promise<boolean>;
  /** Whether there is so much that an answer may have ended for want of room. */
  isLarge(): Promise<boolean>;
  /** @returns whether the conversation is smaller now */
  compact(reason: Trouble | "threshold", signal: AbortSignal): Promise<boolean>;
  /** What the model is told when it rested before a compaction; undefined where nothing shall follow. */
  continuation(): Promise<string | undefined>;
}
