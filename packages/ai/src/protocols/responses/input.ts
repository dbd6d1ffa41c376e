/** The conversation as items of the Responses family. */

import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
} from "../../schema/message.ts";
import type { Model } from "../../schema/model.ts";
import { blocksOf, isOwn, legalised, toolIds, writtenOnce } from "../history.ts";
import { readThought, readText } from "./signature.ts";

export function inputItems(messages: readonly Message[], model: Model): object[] {
  const callId = callIds(messages, model);
  return messages.flatMap((message) => itemsOf(message, model, callId));
}

export function instructionRole(model: Model): "developer" | "system" {
  const isKnown = model.compat?.supportsDeveloperRole ?? isVendor(model);
  return isKnown && model.reasoning ? "developer" : "system";
}

/** Only OpenAI itself and its two other doors, not the servers that speak like it. */
export function isVendor({ api, provider, baseUrl }: Model): boolean {
  if (api !== "openai-responses" || provider === "openai") return true;
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === "api.openai.com";
}

const LONGEST_ID = 64;

/** Our ids of this API's calls are `call|item`; its results know the call only. */
function callIds(messages: readonly Message[], model: Model): (id: string) => string {
  const wireId = toolIds(messages, model, /^[a-zA-Z0-9_-]{1,64}$/, LONGEST_ID);
  return (id) => {
    const [call = id] = wireId(id).split("|");
    return call.length <= LONGEST_ID ? call : legalised(call, LONGEST_ID);
  };
}

const itemsOf = writtenOnce(function itemsOf(message: Message, model, callId): readonly object[] {
  switch (message.role) {
    case "assistant":
      return answerItems(message, model, callId);
    case "toolResult":
      return [
        {
          type: "function_call_output",
          call_id: callId(message.toolCallId),
          output: outputOf(blocksOf(message.content, model)),
        },
      ];
    case "user":
    case "developer": {
      const blocks = blocksOf(message.content, model);
      if (blocks.length === 0) return [];
      const isText = blocks.every((block) => block.type === "text");
      // Instructions are words only: an image among them is shown as the user's.
      const role = message.role === "developer" && isText ? instructionRole(model) : "user";
      return [...replacedBy(message, model), { role, content: blocks.map(part) }];
    }
  }
});

function replacedBy(message: Message, { provider }: Model): readonly object[] {
  const replacement = message.role === "user" ? message.replacement : undefined;
  return replacement?.provider === provider ? replacement.items : [];
}

/** Plain text goes as plain text: not every server knows that there may be more. */
function outputOf(blocks: readonly (TextBlock | ImageBlock)[]): string | object[] {
  if (blocks.length === 0) return "(no output)";
  if (blocks.some((block) => block.type === "image")) return blocks.map(part);
  return blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

function part(block: TextBlock | ImageBlock): object {
  if (block.type === "text") return { type: "input_text", text: block.text };
  const image_url = `data:${block.mimeType};base64,${block.data}`;
  return { type: "input_image", detail: "auto", image_url };
}

function answerItems(
  message: AssistantMessage,
  model: Model,
  callId: (id: string) => string,
): readonly object[] {
  const keepsIds = isWhole(message, model);
  const blocks = message.content.filter((block) => keepsIds || block.type !== "thinking");
  // A thought must be followed by what came of it: one that nothing came of is refused.
  const end = blocks.findLastIndex((block) => block.type !== "thinking") + 1;
  return blocks.slice(0, end).flatMap((block): object | [] => {
    switch (block.type) {
      case "thinking":
        return readThought(block.thinkingSignature) ?? [];
      case "text":
        return block.text.trim() === "" ? [] : textItem(block, keepsIds);
      case "toolCall":
        return callItem(block, callId(block.id), keepsIds);
    }
  });
}

/**
 * The items of an answer belong together at the vendor's: its ids are sent back with all of its
 * thoughts, or not at all.
 */
function isWhole(message: AssistantMessage, model: Model): boolean {
  const isDone = message.stopReason !== "error" && message.stopReason !== "aborted";
  const isKept = ({ thinkingSignature }: ThinkingBlock) =>
    readThought(thinkingSignature) !== undefined;
  return (
    isDone &&
    isOwn(message, model) &&
    message.content.every((block) => block.type !== "thinking" || isKept(block))
  );
}

function textItem({ text, textSignature }: TextBlock, keepsIds: boolean): object {
  const { id, phase } = keepsIds ? readText(textSignature) : {};
  const labels = { role: "assistant", ...(phase !== undefined && { phase }) };
  if (!isItemId(id, "msg")) return { ...labels, content: text };
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id, status: "completed", ...labels, content };
}

function callItem(
  { id, name, arguments: args }: ToolCallBlock,
  call_id: string,
  keepsIds: boolean,
): object {
  const item = keepsIds ? id.slice(id.indexOf("|") + 1) : undefined;
  return {
    type: "function_call",
    ...(isItemId(item, "fc") && { id: item }),
    call_id,
    name,
    arguments: JSON.stringify(args),
  };
}

/** Servers that only speak like the vendor make ids that the vendor, and sometimes they themselves, refuse. */
function isItemId(id: string | undefined, prefix: string): boolean {
  return id !== undefined && id.startsWith(prefix) && /^[a-zA-Z0-9_-]{1,64}$/.test(id);
}
