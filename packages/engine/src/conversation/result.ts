/** What a prompt answers with, from the last message of its run. Pure. */

import type { AssistantMessage } from "@omp/ai/schema";
import type { PromptResult } from "../protocol/commands/run.ts";
import type { StructuredAnswer } from "./structured.ts";

export function resultOf(
  message: AssistantMessage,
  { signal, goal }: { readonly signal: AbortSignal; readonly goal: StructuredAnswer | undefined },
): PromptResult {
  const { errorMessage } = message;
  const result: PromptResult = {
    stopReason: signal.aborted ? "aborted" : message.stopReason,
    text: textOf(message, "text"),
    thinking: textOf(message, "thinking"),
    ...(errorMessage === undefined ? {} : { errorMessage }),
  };
  if (!goal) return result;
  if (goal.text !== undefined) return { ...result, stopReason: "stop", text: goal.text };
  if (result.stopReason === "aborted" || result.stopReason === "error") return result;
  return {
    ...result,
    stopReason: "error",
    errorMessage: goal.failure,
    errorKind: "output-schema",
  };
}

function textOf(message: AssistantMessage, kind: "text" | "thinking"): string {
  return message.content
    .map((block) => {
      if (block.type === "text") return kind === "text" ? block.text : "";
      return block.type === "thinking" && kind === "thinking" ? block.thinking : "";
    })
    .join("");
}
