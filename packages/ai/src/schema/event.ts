/** The one sequence of events every provider's stream is turned into. */

import type { AssistantMessage, StopReason, ToolCallBlock } from "./message.ts";
import type { ProviderFault } from "./fault.ts";

/** `partial` is the message so far: one live object, not a copy. Read it during the event, copy what you keep. */
interface AtBlock {
  readonly contentIndex: number;
  readonly partial: AssistantMessage;
}

export type ModelEvent =
  | { readonly type: "start"; readonly partial: AssistantMessage }
  | ({ readonly type: "text_start" } & AtBlock)
  | ({ readonly type: "text_delta"; readonly delta: string } & AtBlock)
  | ({ readonly type: "text_end"; readonly content: string } & AtBlock)
  | ({ readonly type: "thinking_start" } & AtBlock)
  | ({ readonly type: "thinking_delta"; readonly delta: string } & AtBlock)
  | ({ readonly type: "thinking_end"; readonly content: string } & AtBlock)
  | ({ readonly type: "toolcall_start" } & AtBlock)
  | ({ readonly type: "toolcall_delta"; readonly delta: string } & AtBlock)
  | ({ readonly type: "toolcall_end"; readonly toolCall: ToolCallBlock } & AtBlock)
  | {
      readonly type: "done";
      readonly reason: Extract<StopReason, "stop" | "length" | "toolUse">;
      readonly message: AssistantMessage;
    }
  | {
      readonly type: "error";
      readonly reason: Extract<StopReason, "error" | "aborted">;
      readonly message: AssistantMessage;
      /** Absent when aborted: an abort is not an error. */
      readonly fault?: ProviderFault;
    };

export type FinalEvent = Extract<ModelEvent, { type: "done" | "error" }>;

/**
 * One turn in flight. Iterate it for the events, await `result` for the last one, or both.
 * Neither ever throws or rejects: a failure is the last event.
 */
export interface ModelStream extends AsyncIterable<ModelEvent> {
  readonly result: Promise<FinalEvent>;
}
