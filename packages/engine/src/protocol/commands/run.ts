/** Commands about the run: what a person says, and how it is stopped. */

import type { InterruptMode, QueueMode, QueueName } from "@omp/agent";
import type { ImageBlock, StopReason } from "@omp/ai/schema";
import type { Asks } from "../asks.ts";

/** How a run ended. `text` is the model's last answer, or what a slash command had to say. */
export interface PromptResult {
  readonly stopReason: StopReason;
  readonly text: string;
  readonly thinking: string;
  readonly errorMessage?: string;
  /** Set where the model answered, but never with what `outputSchema` asks for. */
  readonly errorKind?: "output-schema";
  /** A slash command did it all: the model was not asked. */
  readonly isCommand?: true;
  /** The text waits in a queue of the run in progress. */
  readonly isQueued?: true;
}

/** Where a message goes while a run is in progress: in between (`steer`), or after it. */
export type { InterruptMode, QueueMode, QueueName };

export interface Said {
  readonly text: string;
  readonly images?: readonly ImageBlock[];
}

export interface PromptFields extends Said {
  /** Paths whose content goes in front of the text. */
  readonly files?: readonly string[];
  /** Required while a run is in progress. */
  readonly streamingBehavior?: QueueName;
  /** False sends the text as typed: no slash commands, no templates. */
  readonly expands?: boolean;
  /** JSON Schema that the final answer must satisfy. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** What a command that the person ran by `!` or `$` gave. */
export interface ExecutionResult {
  readonly output: string;
  readonly exitCode: number | undefined;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly artifactId?: string;
}

export interface ExecutionFields {
  /** The shell command, or the code. */
  readonly text: string;
  readonly language: "bash" | "python";
  /** The model never sees it (`!!`, `$$`). */
  readonly isExcluded?: boolean;
}

export interface RunCommands {
  /** Sends what a person typed and runs until the model rests. */
  prompt: Asks<PromptFields, PromptResult>;
  /** Queues a message that interrupts the run. Refuses slash commands of extensions. */
  steer: Asks<Said>;
  /** Queues a message for after the run. Refuses slash commands of extensions. */
  follow_up: Asks<Said>;
  /** Takes back all queued messages and answers with them, oldest first. */
  clear_queue: Asks<
    object,
    { readonly steering: readonly Said[]; readonly followUp: readonly Said[] }
  >;
  /** Ends the run in progress, if there is one; resolves when it has ended. */
  abort: Asks<object>;
  /** Ends the wait before a retry, if there is one: the run ends with the failure it has. */
  abort_retry: Asks<object>;
  set_steering_mode: Asks<{ readonly mode: QueueMode }>;
  set_follow_up_mode: Asks<{ readonly mode: QueueMode }>;
  set_interrupt_mode: Asks<{ readonly mode: InterruptMode }>;
  set_auto_retry: Asks<{ readonly enabled: boolean }>;
  /** Runs what the person typed after `!` or `$`, records it, and answers when it has ended. */
  execute: Asks<ExecutionFields, ExecutionResult>;
  abort_execute: Asks<object>;
}
