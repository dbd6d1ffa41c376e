/** The conversation as models and session files know it. These shapes are stored on disk as they are. */

import type { Usage } from "./usage.ts";

export interface TextBlock {
  readonly type: "text";
  text: string;
  textSignature?: string;
}

export interface ThinkingBlock {
  readonly type: "thinking";
  thinking: string;
  /** Opaque proof of the provider that the thought is its own; must be sent back unchanged. */
  thinkingSignature?: string;
  /** The provider hid the thought; only the signature is there. */
  redacted?: boolean;
}

export interface ImageBlock {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ToolCallBlock {
  readonly type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /** Set when the stream ended with arguments that are not JSON: such a call must not run. */
  malformedArguments?: string;
  thoughtSignature?: string;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string | readonly (TextBlock | ImageBlock)[];
  readonly timestamp: number;
  readonly attribution?: "user" | "agent";
  /** What a provider made of the conversation before this; sent to it in front of the content. */
  readonly replacement?: { readonly provider: string; readonly items: readonly object[] };
}

/** Instructions of the program (not the person) inside the conversation. */
export interface DeveloperMessage {
  readonly role: "developer";
  readonly content: string | readonly (TextBlock | ImageBlock)[];
  readonly timestamp: number;
  readonly attribution?: "user" | "agent";
}

export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

export type AssistantBlock = TextBlock | ThinkingBlock | ToolCallBlock;

export interface AssistantMessage {
  readonly role: "assistant";
  content: AssistantBlock[];
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  usage: Usage;
  stopReason: StopReason;
  errorMessage?: string;
  /** HTTP status of a failed request. */
  errorStatus?: number;
  responseId?: string;
  /** Milliseconds from request to the end of the stream. */
  duration?: number;
  /** Milliseconds from request to the first content. */
  ttft?: number;
  readonly timestamp: number;
}

export interface ToolResultMessage {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly details?: unknown;
  readonly isError: boolean;
  /** It says that nothing was found: a compaction may blank it. */
  readonly useless?: true;
  readonly timestamp: number;
}

/** What a model can be sent. */
export type Message = UserMessage | DeveloperMessage | AssistantMessage | ToolResultMessage;
