/** Asks a small model for the title of a session, and makes one clean line of what it says. */

import { Type } from "@omp/std";
import { sanitizeLine } from "@omp/std";
import type { AssistantMessage, ModelRequest, ModelStream, ToolSchema } from "@omp/ai/schema";
import type { CurrentModel } from "../model/active-model.ts";
import builtIn from "./prompts/title.md" with { type: "text" };

export interface TitleDeps {
  /** Those that may be asked, in this order; each is looked up when it is needed. */
  models(): AsyncIterable<CurrentModel>;
  /** What the person wrote for this, where they did. */
  ownPrompt(): string | undefined;
  ask(current: CurrentModel, request: TitleRequest, signal: AbortSignal): ModelStream;
  now(): number;
}

export type TitleRequest = Omit<ModelRequest, "model">;

/** The beginning says what a message is about. */
const MAX_MESSAGE_LENGTH = 2000;
const MAX_TOKENS = 1024;

const setTitle: ToolSchema = {
  name: "set_title",
  description: "Sets the title of the conversation.",
  parameters: Type.Object({ title: Type.String() }),
};

export async function titleFor(
  text: string,
  deps: TitleDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const request: TitleRequest = {
    systemPrompt: deps.ownPrompt() ?? builtIn.trim(),
    messages: [{ role: "user", content: text.slice(0, MAX_MESSAGE_LENGTH), timestamp: deps.now() }],
    tools: [setTitle],
    toolChoice: { name: setTitle.name },
    thinking: "off",
    maxTokens: MAX_TOKENS,
  };
  for await (const current of deps.models()) {
    const { message } = await deps.ask(current, request, signal).result;
    if (signal.aborted) return undefined;
    if (message.stopReason !== "error") return cleanTitle(titleIn(message));
  }
  return undefined;
}

/** A model that cannot be forced to a tool says it in words. */
function titleIn({ content }: AssistantMessage): string {
  for (const block of content) {
    if (block.type !== "toolCall" || block.name !== setTitle.name) continue;
    const { title } = block.arguments;
    if (typeof title === "string") return title;
  }
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

const MAX_WORDS = 7;
const MAX_LENGTH = 80;
const QUOTES = "\"'`“”‘’«»";
const AT_THE_EDGES = new RegExp(`^[${QUOTES}\\s#*_-]+|[${QUOTES}\\s.,;:!?*_-]+$`, "gu");

/** One line of at most seven words; undefined where the model has no name for it. */
export function cleanTitle(raw: string): string | undefined {
  const line = raw.split(/[\r\n]/).find((one) => one.trim() !== "") ?? "";
  const words = sanitizeLine(line)
    .replace(/^title:\s*/i, "")
    .replace(AT_THE_EDGES, "")
    .split(/\s+/);
  const title = words.slice(0, MAX_WORDS).join(" ").slice(0, MAX_LENGTH).replace(AT_THE_EDGES, "");
  if (title === "" || title.toLowerCase() === "none") return undefined;
  const isShouted = words.length > 1 && title === title.toUpperCase();
  const calm = isShouted ? title.toLowerCase() : title;
  return calm.charAt(0).toUpperCase() + calm.slice(1);
}
