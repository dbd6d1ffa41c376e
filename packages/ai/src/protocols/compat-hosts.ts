/** What is known of hosts that speak Chat Completions: one table, later rows win over earlier ones. */

import type { Compat } from "../schema/compat.ts";
import { FULL } from "./sampling.ts";

/** A row applies at its providers or hosts (at all of them where it names none), to its models. */
export interface HostRule {
  readonly providers?: readonly string[];
  /** Domains, with everything below them. */
  readonly hosts?: readonly string[];
  /** Ids, as they are selected. */
  readonly models?: RegExp;
  readonly onlyReasoning?: true;
  readonly compat: Compat;
}

/** Hosts that take several system messages, and in any place. Others may have strict templates. */
export const HOSTED: readonly string[] = [
  ..."openai.com openai.azure.com openrouter.ai mistral.ai groq.com x.ai cerebras.ai".split(" "),
  ..."fireworks.ai together.xyz together.ai aimlapi.com huggingface.co synthetic.new nvidia.com".split(
    " ",
  ),
  ..."nano-gpt.com venice.ai deepseek.com moonshot.ai kimi.com z.ai bigmodel.cn".split(" "),
  ..."baidubce.com xiaomimimo.com kilo.ai zenmux.ai opencode.ai ai-gateway.vercel.sh".split(" "),
  ..."githubcopilot.com wafer.ai".split(" "),
];

const THINKING_OFF = { thinking: { type: "disabled" } } as const;

export const HOST_RULES: readonly HostRule[] = [
  {
    providers: ["openai"],
    hosts: ["api.openai.com", "openai.azure.com"],
    compat: {
      supportsStore: true,
      supportsDeveloperRole: true,
      supportsMultipleSystemMessages: true,
      maxTokensField: "max_completion_tokens",
      supportsStrictMode: true,
      supportsPromptCacheKey: true,
    },
  },
  {
    providers: ["openrouter"],
    hosts: ["openrouter.ai"],
    compat: { thinkingFormat: "openrouter", omitsMaxTokens: true },
  },
  {
    providers: ["openrouter"],
    hosts: ["openrouter.ai"],
    // Those are refused that are told not to think.
    models:
      /^(openai\/(o\d|gpt-5(-|$))|google\/gemini-(2\.5|3\S*)-pro|x-ai\/grok-4(?!-fast)|minimax\/)|deepseek-r1|-thinking/,
    compat: { alwaysReasons: true },
  },
  {
    providers: ["mistral"],
    hosts: ["mistral.ai"],
    compat: {
      supportsReasoningEffort: false,
      requiresToolResultName: true,
      requiresAssistantAfterToolResult: true,
      requiresThinkingAsText: true,
      requiresMistralToolIds: true,
    },
  },
  {
    providers: ["xai", "xai-oauth"],
    hosts: ["x.ai"],
    compat: { supportsReasoningEffort: false, maxTokensField: "max_completion_tokens" },
  },
  {
    providers: ["xai", "xai-oauth"],
    hosts: ["x.ai"],
    models: /^grok-(3-mini|4\.[3-9]|[5-9])/,
    compat: { supportsReasoningEffort: true },
  },
  {
    providers: ["groq"],
    hosts: ["groq.com"],
    compat: { maxTokensField: "max_completion_tokens" },
  },
  {
    providers: ["cerebras"],
    hosts: ["cerebras.ai"],
    compat: {
      maxTokensField: "max_completion_tokens",
      supportsUsageInStreaming: false,
      supportsStrictMode: true,
      toolStrictMode: "all_strict",
    },
  },
  {
    providers: ["deepseek"],
    hosts: ["deepseek.com"],
    compat: {
      reasoningEffortMap: { xhigh: "max" },
      reasoningContentField: "reasoning_content",
      requiresReasoningContentForToolCalls: true,
      allowsSyntheticReasoningContentForToolCalls: false,
      thinkingBody: { off: THINKING_OFF },
    },
  },
  {
    providers: ["deepseek"],
    hosts: ["deepseek.com"],
    onlyReasoning: true,
    compat: { disableReasoningOnToolChoice: true },
  },
  {
    providers: ["deepseek"],
    hosts: ["deepseek.com"],
    models: /reasoner|-r1/,
    compat: { supportsToolChoice: false, alwaysReasons: true },
  },
  {
    providers: ["zai", "zhipu-coding-plan"],
    hosts: ["z.ai", "bigmodel.cn"],
    compat: { thinkingFormat: "zai", supportsReasoningEffort: false },
  },
  {
    providers: ["xiaomi"],
    hosts: ["xiaomimimo.com"],
    compat: {
      thinkingFormat: "zai",
      maxTokensField: "max_completion_tokens",
      requiresReasoningContentForToolCalls: true,
    },
  },
  {
    providers: ["moonshot", "kimi-code"],
    hosts: ["moonshot.ai", "moonshot.cn", "kimi.com"],
    compat: {
      thinkingFormat: "zai",
      requiresReasoningContentForToolCalls: true,
      requiresAssistantContentForToolCalls: true,
      disableReasoningOnForcedToolChoice: true,
      schemaDialect: "moonshot",
    },
  },
  // Wherever they are served: thinking and a forced tool exclude each other.
  { models: /kimi|claude/i, compat: { disableReasoningOnForcedToolChoice: true } },
  {
    providers: ["qwen-portal", "alibaba-coding-plan"],
    hosts: ["qwen.ai", "aliyuncs.com"],
    compat: { thinkingFormat: "qwen" },
  },
  {
    providers: ["minimax-code", "minimax-code-cn"],
    hosts: ["minimax.io", "minimaxi.com"],
    compat: {
      supportsReasoningEffort: false,
      cumulativeReasoning: true,
      // Without it thoughts come as tags in the text.
      extraBody: { reasoning_split: true },
      thinkingBody: { off: THINKING_OFF },
    },
  },
  {
    providers: ["nvidia"],
    hosts: ["nvidia.com"],
    compat: { leaksTemplateMarkers: true, thinkingFormat: "qwen-chat-template" },
  },
  {
    providers: ["nvidia"],
    hosts: ["nvidia.com"],
    models: /gpt-oss/,
    compat: { thinkingFormat: "openai" },
  },
  {
    providers: ["venice"],
    hosts: ["venice.ai"],
    compat: {
      // Its own instructions would stand before ours.
      extraBody: { venice_parameters: { include_venice_system_prompt: false } },
      thinkingBody: {
        on: { venice_parameters: { disable_thinking: false } },
        off: { venice_parameters: { disable_thinking: true } },
      },
    },
  },
  { models: /gpt-oss/, compat: { reasoningEffortMap: { minimal: "low", xhigh: "high" } } },
  {
    providers: ["openrouter", "vllm", "together", "fireworks", "firepass", "venice"],
    hosts: ["openrouter.ai", "together.xyz", "together.ai", "fireworks.ai", "venice.ai"],
    compat: { samplingFields: FULL },
  },
  {
    providers: ["lm-studio"],
    compat: { samplingFields: { ...FULL, repetitionPenalty: "repeat_penalty" } },
  },
  {
    providers: ["zai", "zhipu-coding-plan"],
    hosts: ["z.ai", "bigmodel.cn"],
    compat: { samplingFields: { temperature: "temperature", topP: "top_p" } },
  },
  {
    providers: ["xai", "xai-oauth"],
    hosts: ["x.ai"],
    onlyReasoning: true,
    compat: { samplingFields: { temperature: "temperature", topP: "top_p" } },
  },
  // Wherever they are served: what thinks among these refuses every word about sampling.
  {
    models: /claude|(^|\/)(gpt-[5-9]|o\d)|kimi-(k2\.[5-9]|for-coding)/i,
    onlyReasoning: true,
    compat: { samplingFields: {} },
  },
  { providers: ["litellm"], compat: { requiresToolsWithToolHistory: true } },
  { providers: ["lm-studio"], compat: { supportsNamedToolChoice: false } },
];
