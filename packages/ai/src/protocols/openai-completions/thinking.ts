/** How a Chat Completions server is told to think, or not to. */

import type { ModelRequest } from "../../schema/model.ts";
import type { ThinkingLevel } from "../../schema/thinking.ts";
import type { ResolvedCompat } from "../compat.ts";

export type BodyFields = Readonly<Record<string, unknown>>;

/** The fields for the format's own words, and those that a host wants beside them. */
export function thinkingFields(
  request: ModelRequest,
  compat: ResolvedCompat,
): readonly BodyFields[] {
  if (!request.model.reasoning) return [];
  const isExcluded = excludesThinking(request, compat);
  const level = isExcluded ? "off" : request.thinking;
  const isOn = level !== undefined && level !== "off";
  if (!isOn && compat.alwaysReasons) return [];
  const beside = isOn ? compat.thinkingBody?.on : compat.thinkingBody?.off;
  return [formatFields(level, isExcluded, compat), beside ?? {}];
}

/** Some servers refuse to think when a tool is demanded of them. */
function excludesThinking({ toolChoice, tools }: ModelRequest, compat: ResolvedCompat): boolean {
  if (toolChoice === undefined || tools.length === 0) return false;
  if (compat.disableReasoningOnToolChoice) return true;
  const isForced = toolChoice === "required" || typeof toolChoice === "object";
  return isForced && compat.disableReasoningOnForcedToolChoice === true;
}

function formatFields(
  level: ThinkingLevel | undefined,
  isExcluded: boolean,
  compat: ResolvedCompat,
): BodyFields {
  const isOn = level !== undefined && level !== "off";
  const effort = isOn ? (compat.reasoningEffortMap?.[level] ?? level) : undefined;
  switch (compat.thinkingFormat) {
    case "openai":
      return effort !== undefined && compat.supportsReasoningEffort
        ? { reasoning_effort: effort }
        : {};
    case "openrouter":
      if (effort !== undefined) return { reasoning: { effort } };
      // Many of its models cannot be told so: only who was asked for it hears it.
      return level === "off" && !isExcluded ? { reasoning: { enabled: false } } : {};
    case "zai":
      return { thinking: { type: isOn ? "enabled" : "disabled" } };
    case "qwen":
      return { enable_thinking: isOn };
    case "qwen-chat-template":
      return { chat_template_kwargs: { enable_thinking: isOn } };
  }
}
