/** The vocabulary of `ai`: plain types and the few pure functions on them. */

export type {
  AssistantBlock,
  AssistantMessage,
  DeveloperMessage,
  ImageBlock,
  Message,
  StopReason,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from "./message.ts";
export { ProviderError, type ProviderFault } from "./fault.ts";
export type { FinalEvent, ModelEvent, ModelStream } from "./event.ts";
export type { Compat, RoutingPreference } from "./compat.ts";
export type { Model, ModelRequest, ToolChoice, ToolSchema } from "./model.ts";
export type { Sampling, SamplingFields } from "./sampling.ts";
export {
  DEFAULT_THINKING_BUDGETS,
  THINKING_LEVELS,
  type ActiveThinkingLevel,
  type ThinkingBudgets,
  type ThinkingLevel,
  type ThinkingSupport,
} from "./thinking.ts";
export {
  NO_TOKENS,
  usageOf,
  type Cost,
  type Prices,
  type TokenCounts,
  type ToldCounts,
  type Usage,
} from "./usage.ts";
