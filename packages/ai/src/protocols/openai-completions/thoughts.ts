/** Thoughts of past turns, in the form the server wants them back. */

import type { AssistantMessage } from "../../schema/message.ts";
import type { ResolvedCompat } from "../compat.ts";

/** The fields in which servers show thoughts, in the order they are looked at. */
export const THOUGHT_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;
export type ThoughtField = (typeof THOUGHT_FIELDS)[number];

/** Thoughts in pieces with a type each, as some gateways send them. */
export const THOUGHT_DETAILS = "reasoning_details";

/** What stands where a server insists on a thought and there was none. */
const NO_THOUGHT = "(No thought was recorded for this turn.)";

type Fields = Readonly<Record<string, unknown>>;

export function thoughtFields(
  message: AssistantMessage,
  isOwn: boolean,
  compat: ResolvedCompat,
): Fields {
  const own = isOwn ? ownThoughts(message, compat) : {};
  if (Object.keys(own).length > 0) return own;
  const hasCalls = message.content.some((block) => block.type === "toolCall");
  if (!hasCalls || !compat.requiresReasoningContentForToolCalls) return {};
  if (!compat.allowsSyntheticReasoningContentForToolCalls) return {};
  const field = compat.reasoningContentField ?? THOUGHT_FIELDS[0];
  return { [field]: visibleThoughts(message) || NO_THOUGHT };
}

/** For servers that have no field for thoughts. */
export function thoughtsAsText(message: AssistantMessage): string {
  const thoughts = visibleThoughts(message);
  return thoughts === "" ? "" : `<thinking>\n${thoughts}\n</thinking>`;
}

function visibleThoughts(message: AssistantMessage): string {
  return message.content
    .filter((block) => block.type === "thinking")
    .map(({ thinking }) => thinking)
    .filter((thinking) => thinking.trim() !== "")
    .join("\n");
}

/** Servers that show thoughts want them back in the field they came in: it is kept as the signature. */
function ownThoughts(message: AssistantMessage, compat: ResolvedCompat): Fields {
  const fields: Record<string, string> = {};
  for (const block of message.content) {
    if (block.type !== "thinking" || !block.thinkingSignature) continue;
    const field = compat.reasoningContentField ?? block.thinkingSignature;
    fields[field] = (fields[field] ?? "") + block.thinking;
  }
  const { [THOUGHT_DETAILS]: details, ...plain } = fields;
  if (details === undefined) return plain;
  return { ...plain, [THOUGHT_DETAILS]: [{ type: "reasoning.text", text: details }] };
}
