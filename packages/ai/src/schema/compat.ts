/**
 * Where servers that speak one protocol differ. Every key is optional: unset, the protocol decides by the
 * provider and the address. The names are those of `models.yml`.
 */

import type { SamplingFields } from "./sampling.ts";
import type { ActiveThinkingLevel } from "./thinking.ts";

export interface RoutingPreference {
  readonly only?: readonly string[];
  readonly order?: readonly string[];
}

export interface Compat {
  readonly supportsStore?: boolean;
  readonly supportsDeveloperRole?: boolean;
  readonly supportsMultipleSystemMessages?: boolean;
  readonly supportsUsageInStreaming?: boolean;
  readonly maxTokensField?: "max_completion_tokens" | "max_tokens";
  /** Leave the limit out of requests: some hosts reserve credit for it. */
  readonly omitsMaxTokens?: boolean;
  readonly supportsToolChoice?: boolean;
  readonly disableReasoningOnForcedToolChoice?: boolean;
  readonly disableReasoningOnToolChoice?: boolean;
  /** Merged into the top level of each request body. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  readonly supportsReasoningEffort?: boolean;
  readonly reasoningEffortMap?: Readonly<Partial<Record<ActiveThinkingLevel, string>>>;
  readonly thinkingFormat?: "openai" | "openrouter" | "zai" | "qwen" | "qwen-chat-template";
  readonly reasoningContentField?: "reasoning_content" | "reasoning" | "reasoning_text";
  readonly requiresReasoningContentForToolCalls?: boolean;
  readonly allowsSyntheticReasoningContentForToolCalls?: boolean;
  readonly requiresAssistantContentForToolCalls?: boolean;
  readonly requiresToolResultName?: boolean;
  readonly requiresAssistantAfterToolResult?: boolean;
  readonly requiresThinkingAsText?: boolean;
  readonly requiresMistralToolIds?: boolean;
  readonly supportsStrictMode?: boolean;
  readonly toolStrictMode?: "all_strict" | "none";
  readonly openRouterRouting?: RoutingPreference;
  readonly vercelGatewayRouting?: RoutingPreference;
  /** Send `tools: []` when the history has tool calls but none are offered. */
  readonly requiresToolsWithToolHistory?: boolean;
  /** A tool may be named in `tool_choice`; without it a named tool becomes `required`. */
  readonly supportsNamedToolChoice?: boolean;
  readonly supportsPromptCacheKey?: boolean;
  /** The model cannot be told not to think. */
  readonly alwaysReasons?: boolean;
  /** Fields beside those of `thinkingFormat`, for a model that is to think or not to. */
  readonly thinkingBody?: ThinkingBody;
  /** Pieces of the chat template (`<|im_end|>`) come through in the answer and are cut out. */
  readonly leaksTemplateMarkers?: boolean;
  /** Each piece of a thought repeats all of it so far. */
  readonly cumulativeReasoning?: boolean;
  /** A dialect of JSON Schema that tools must be written in. */
  readonly schemaDialect?: "moonshot";
  /** The server is told who began the turn and whether there are images in it, and counts requests by that. */
  readonly sendsInitiator?: boolean;
  /** Suffix of OpenRouter's model ids (`nitro`, `floor`, ...), for ids that have none. */
  readonly openRouterVariant?: string;
  /** The server's names for the ways to choose words; what is not in here is not sent. */
  readonly samplingFields?: SamplingFields;
}

export interface ThinkingBody {
  readonly on?: Readonly<Record<string, unknown>>;
  readonly off?: Readonly<Record<string, unknown>>;
}
