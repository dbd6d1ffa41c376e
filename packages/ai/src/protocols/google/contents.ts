/** A conversation as Gemini's `contents`: turns of a user and a model, made of parts. */

import type { AssistantMessage, ImageBlock, Message, TextBlock } from "../../schema/message.ts";
import type { Model } from "../../schema/model.ts";
import { blocksOf, isOwn, toolIds, writtenOnce } from "../history.ts";
import { isGemini3 } from "./thinking.ts";

interface InlineData {
  readonly inlineData: { readonly mimeType: string; readonly data: string };
}
interface FunctionResponse {
  readonly functionResponse: {
    readonly id: string;
    readonly name: string;
    readonly response: { readonly output: string } | { readonly error: string };
    readonly parts?: readonly InlineData[];
  };
}
interface Content {
  readonly role: "user" | "model";
  parts: readonly object[];
}

/** Calls and results are paired already: the results of an answer follow it, and belong in one turn. */
export function contentsOf(messages: readonly Message[], model: Model): Content[] {
  const wireId = toolIds(messages, model, /^[a-zA-Z0-9_-]{1,64}$/, 64);
  const contents: Content[] = [];
  let results: Content | undefined;
  for (const message of messages) {
    const parts = partsOf(message, model, wireId);
    if (parts.length === 0) continue;
    if (message.role === "toolResult" && results) {
      results.parts = resultsFirst([...results.parts, ...parts]);
      continue;
    }
    const content: Content = { role: message.role === "assistant" ? "model" : "user", parts };
    contents.push(content);
    results = message.role === "toolResult" ? content : undefined;
  }
  return contents;
}

function resultsFirst(parts: readonly object[]): object[] {
  const isBeside = (part: object) => Number(!("functionResponse" in part));
  return parts.toSorted((a, b) => isBeside(a) - isBeside(b));
}

function partsOf(
  message: Message,
  model: Model,
  wireId: (id: string) => string,
): readonly object[] {
  switch (message.role) {
    case "assistant":
      return modelParts(message, model, wireId);
    case "toolResult":
      return resultParts(message, model, wireId);
    case "user":
    case "developer":
      return userParts(message, model, wireId);
  }
}

const userParts = writtenOnce(function userParts(
  message: Extract<Message, { role: "user" | "developer" }>,
  model,
): readonly object[] {
  const isProgram = message.role === "developer";
  return blocksOf(message.content, model).map((block) => {
    if (block.type === "image") return inlineData(block);
    return { text: isProgram ? reminder(block.text) : block.text };
  });
});

/** The API has no role for the program: its words go in the user's, marked as what they are. */
function reminder(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`;
}

/** Newer models take images inside a result; for older ones they stand beside it. */
const resultParts = writtenOnce(function resultParts(
  message: Extract<Message, { role: "toolResult" }>,
  model,
  wireId,
): readonly (FunctionResponse | InlineData)[] {
  const blocks = blocksOf(message.content, model);
  const images = blocks.filter((block) => block.type === "image").map(inlineData);
  const isInside = images.length > 0 && isGemini3(model);
  const text = textOf(blocks) || (images.length > 0 ? "(see the image)" : "(no output)");
  const functionResponse = {
    id: wireId(message.toolCallId),
    name: message.toolName,
    response: message.isError ? { error: text } : { output: text },
    ...(isInside && { parts: images }),
  };
  return [{ functionResponse }, ...(isInside ? [] : images)];
});

function inlineData({ mimeType, data }: ImageBlock): InlineData {
  return { inlineData: { mimeType, data } };
}

function textOf(blocks: readonly (TextBlock | ImageBlock)[]): string {
  return blocks
    .filter((block) => block.type === "text")
    .map(({ text }) => text)
    .join("\n");
}

/** A signature goes back on the part it came with: the vendor refuses it anywhere else. */
const modelParts = writtenOnce(function modelParts(
  message: AssistantMessage,
  model,
  wireId,
): readonly object[] {
  const own = isOwn(message, model);
  const signed = (signature: string | undefined) =>
    own && signature ? { thoughtSignature: signature } : undefined;
  let isFirstCall = true;
  return message.content.flatMap((block): object | [] => {
    switch (block.type) {
      case "text": {
        const signature = signed(block.textSignature);
        if (block.text.trim() === "" && !signature) return [];
        return { text: block.text, ...signature };
      }
      case "thinking": {
        const signature = signed(block.thinkingSignature);
        return signature ? { text: block.thinking, thought: true, ...signature } : [];
      }
      case "toolCall": {
        const { id, name, arguments: args } = block;
        const needsProof = isFirstCall && isGemini3(model);
        isFirstCall = false;
        const signature = signed(block.thoughtSignature) ?? (needsProof ? UNSIGNED : undefined);
        return { functionCall: { id: wireId(id), name, args }, ...signature };
      }
    }
  });
});

/** The vendor's own word for a call that another model made, where a signature is asked for. */
const UNSIGNED = { thoughtSignature: "skip_thought_signature_validator" };
