/** What a run tells the world, named and shaped as on the JSON and RPC wires. */

import type { AssistantMessage, Message, ModelEvent, ToolResultMessage } from "@omp/ai/schema";
import type { ToolOutput } from "./tool.ts";

/** The stream events that travel inside `message_update`. */
export type AssistantMessageEvent = Exclude<ModelEvent, { type: "start" | "done" | "error" }>;

interface OfToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
}

export type AgentEvent =
  | { readonly type: "agent_start" }
  | { readonly type: "turn_start" }
  | { readonly type: "message_start"; readonly message: Message }
  | {
      readonly type: "message_update";
      readonly message: AssistantMessage;
      readonly assistantMessageEvent: AssistantMessageEvent;
    }
  | { readonly type: "message_end"; readonly message: Message }
  | ({ readonly type: "tool_execution_start"; readonly args: unknown } & OfToolCall)
  | ({
      readonly type: "tool_execution_update";
      readonly args: unknown;
      readonly partialResult: ToolOutput;
    } & OfToolCall)
  | ({
      readonly type: "tool_execution_end";
      readonly result: ToolOutput;
      readonly isError: boolean;
    } & OfToolCall)
  | {
      readonly type: "turn_end";
      readonly message: AssistantMessage;
      readonly toolResults: readonly ToolResultMessage[];
    }
  | { readonly type: "agent_end"; readonly messages: readonly Message[] };
