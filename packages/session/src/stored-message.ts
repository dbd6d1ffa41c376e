/** Stored messages as messages a model can be sent. Pure; what is read from disk is checked, not believed. */

import { NO_TOKENS, usageOf } from "@omp/ai/schema";
import type {
  AssistantBlock,
  AssistantMessage,
  DeveloperMessage,
  ImageBlock,
  Message,
  StopReason,
  TextBlock,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "@omp/ai/schema";
import { isBlobReference } from "./blobs.ts";
import { isRecord, type Fields } from "./entry.ts";

type Content = string | readonly (TextBlock | ImageBlock)[];
type Reader = (stored: Fields, timestamp: number) => Message | undefined;

/** @param timestamp used where the message has none of its own */
export function asMessage(stored: Fields, timestamp: number): Message | undefined {
  const own = typeof stored.timestamp === "number" ? stored.timestamp : timestamp;
  return typeof stored.role === "string" ? READERS.get(stored.role)?.(stored, own) : undefined;
}

/** The content as it is if all of it can be sent, else the part that can; undefined if nothing is left. */
export function contentOf(value: unknown): Content | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (!Array.isArray(value)) return undefined;
  const blocks = only(value.some(isGone) ? value.map(noteIfGone) : value, isTextOrImage);
  return blocks.length === 0 ? undefined : blocks;
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["user", userMessage],
  ["developer", developerMessage],
  ["assistant", assistantMessage],
  ["toolResult", toolResult],
  ["custom", userMessage],
  ["hookMessage", userMessage],
  ["fileMention", fileMention],
  ["bashExecution", (stored, timestamp) => execution("$ ", stored.command, stored, timestamp)],
  ["pythonExecution", (stored, timestamp) => execution(">>> ", stored.code, stored, timestamp)],
]);

function userMessage(stored: Fields, timestamp: number): UserMessage | undefined {
  const content = contentOf(stored.content);
  if (content === undefined) return undefined;
  return mended<UserMessage>(stored, { role: "user", content, timestamp });
}

function developerMessage(stored: Fields, timestamp: number): DeveloperMessage | undefined {
  const content = contentOf(stored.content);
  if (content === undefined) return undefined;
  return mended<DeveloperMessage>(stored, { role: "developer", content, timestamp });
}

function assistantMessage(stored: Fields, timestamp: number): AssistantMessage | undefined {
  if (!Array.isArray(stored.content)) return undefined;
  const { api, provider, model, usage, stopReason } = stored;
  return mended<AssistantMessage>(stored, {
    role: "assistant",
    content: only(stored.content, isAssistantBlock),
    api: textOr(api, ""),
    provider: textOr(provider, ""),
    model: textOr(model, ""),
    usage: isUsage(usage) ? usage : usageOf(NO_TOKENS, NO_TOKENS),
    stopReason: STOP_REASONS.find((reason) => reason === stopReason) ?? "stop",
    timestamp,
  });
}

const MISSING_IMAGE = "[An image was here; its file is missing.]";

const STOP_REASONS: readonly StopReason[] = ["stop", "length", "toolUse", "error", "aborted"];

function toolResult(stored: Fields, timestamp: number): ToolResultMessage | undefined {
  const { toolCallId, toolName, isError } = stored;
  if (typeof toolCallId !== "string") return undefined;
  const content = contentOf(stored.content) ?? [];
  return mended<ToolResultMessage>(stored, {
    role: "toolResult",
    toolCallId,
    toolName: textOr(toolName, ""),
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
    isError: isError === true,
    timestamp,
  });
}

type Needed<Kind> = {
  [Key in keyof Kind as object extends Pick<Kind, Key> ? never : Key]: Kind[Key];
};

/** The stored object itself where it needed no mending, so that its identity can serve as a key. */
function mended<Kind extends Message>(stored: Fields, needed: Needed<Kind>): Kind {
  for (const [field, value] of Object.entries(needed))
    if (stored[field] !== value) return { ...stored, ...needed } as unknown as Kind;
  return stored as unknown as Kind;
}

/** The same array if all of it passes. */
function only<Item>(values: unknown[], passes: (value: unknown) => value is Item): Item[] {
  const passing = values.filter(passes);
  return passing.length === values.length ? (values as Item[]) : passing;
}

/** Files that the person named: each in its tags, then their pictures. */
function fileMention({ files }: Fields, timestamp: number): UserMessage | undefined {
  if (!Array.isArray(files)) return undefined;
  const named = files.filter(isRecord).filter(({ path }) => typeof path === "string");
  const texts = named.map(
    ({ path, content }) => `<file name="${String(path)}">\n${textOr(content, "")}\n</file>`,
  );
  const content = contentOf([
    { type: "text", text: texts.join("\n") },
    ...named.flatMap(({ image }) => (image === undefined ? [] : [image])),
  ]);
  if (content === undefined) return undefined;
  return { role: "user", content, timestamp, attribution: "user" };
}

/** What the person ran by hand, unless they kept it from the model. */
function execution(
  prompt: string,
  code: unknown,
  stored: Fields,
  timestamp: number,
): UserMessage | undefined {
  if (typeof code !== "string" || stored.excludeFromContext === true) return undefined;
  const { exitCode, cancelled } = stored;
  const ending =
    cancelled === true
      ? "\n[cancelled]"
      : typeof exitCode === "number" && exitCode !== 0
        ? `\n[exit code ${exitCode}]`
        : "";
  const content = `I ran this myself:\n\n${prompt}${code}\n${textOr(stored.output, "")}${ending}`;
  return { role: "user", content, timestamp, attribution: "user" };
}

function isTextOrImage(block: unknown): block is TextBlock | ImageBlock {
  if (!isRecord(block)) return false;
  if (block.type === "text") return typeof block.text === "string" && block.text !== "";
  return (
    block.type === "image" && typeof block.data === "string" && typeof block.mimeType === "string"
  );
}

/** A picture whose blob is missing: no provider may be sent the reference as if it were data. */
function isGone(block: unknown): boolean {
  return isRecord(block) && block.type === "image" && isBlobReference(block.data);
}

function noteIfGone(block: unknown): unknown {
  return isGone(block) ? { type: "text", text: MISSING_IMAGE } : block;
}

function isAssistantBlock(block: unknown): block is AssistantBlock {
  if (!isRecord(block)) return false;
  if (block.type === "text") return typeof block.text === "string";
  if (block.type === "thinking") return typeof block.thinking === "string";
  if (block.type !== "toolCall") return false;
  return (
    typeof block.id === "string" && typeof block.name === "string" && isRecord(block.arguments)
  );
}

function isUsage(usage: unknown): usage is Usage {
  return isRecord(usage) && typeof usage.totalTokens === "number" && isRecord(usage.cost);
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
