/** Judges one stream: its grammar, its last event, and whether it made anything up. */

import { isDeepStrictEqual } from "node:util";
import type {
  AssistantBlock,
  AssistantMessage,
  FinalEvent,
  ModelStream,
} from "../src/schema/index.ts";
import { KEY } from "./stage.ts";

export interface Expected {
  /** What the whole answer holds. */
  readonly content: AssistantMessage["content"];
}

export interface Allowance {
  /** The bytes were changed, so that the words may be other ones. */
  readonly mayChange: boolean;
  readonly mayAbort: boolean;
  readonly mustFail: boolean;
}

const PATIENCE_MS = 10_000;

/** @returns what is wrong, or undefined */
export async function faultIn(
  stream: ModelStream,
  whole: Expected,
  allowance: Allowance,
): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve("the stream has no end"), PATIENCE_MS);
  try {
    return await Promise.race([faultOf(stream, whole, allowance), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function faultOf(
  stream: ModelStream,
  whole: Expected,
  allowance: Allowance,
): Promise<string | undefined> {
  const open = new Set<number>();
  let finals = 0;
  let isFirst = true;
  for await (const event of stream) {
    if (isFirst !== (event.type === "start")) return `${event.type} at the wrong place`;
    isFirst = false;
    if (finals > 0) return `${event.type} after the last event`;
    if (event.type === "done" || event.type === "error") finals += 1;
    if (!("contentIndex" in event)) continue;
    if (event.type.endsWith("_start")) open.add(event.contentIndex);
    if (!open.has(event.contentIndex)) return `${event.type} outside of its block`;
    if (event.type.endsWith("_end")) open.delete(event.contentIndex);
  }
  if (finals !== 1) return `${finals} last events`;
  if (open.size > 0) return "a block stayed open";
  return faultOfFinal(await stream.result, whole, allowance);
}

function faultOfFinal(
  final: FinalEvent,
  whole: Expected,
  allowance: Allowance,
): string | undefined {
  const { message, reason } = final;
  if (message.stopReason !== reason) return `${reason} with stop reason ${message.stopReason}`;
  if (final.type === "done") {
    if (allowance.mustFail) return "a fault that nobody noticed";
    const isWhole = isDeepStrictEqual(plain(message.content), plain(whole.content));
    return isWhole || allowance.mayChange ? undefined : "done, but not whole";
  }
  if (reason === "aborted") return allowance.mayAbort ? undefined : "aborted by nobody";
  if (!final.fault) return "an error without a fault";
  const words = message.errorMessage ?? "";
  if (words.length < 10) return `an error that says "${words}"`;
  if (words.includes(KEY)) return "an error that tells the key";
  return allowance.mayChange ? undefined : inventedIn(message.content, whole.content);
}

/** Ids differ from server to server. */
function plain(content: readonly AssistantBlock[]): unknown {
  return content.map((block) =>
    block.type === "toolCall" ? { name: block.name, arguments: block.arguments } : block,
  );
}

/** What was cut off is a beginning of the whole, and no half call looks like one. */
function inventedIn(
  content: readonly AssistantBlock[],
  whole: readonly AssistantBlock[],
): string | undefined {
  for (const [index, block] of content.entries()) {
    const other = whole[index];
    if (block.type !== other?.type) return `block ${index} is ${block.type}`;
    if (block.type === "text" && other.type === "text" && !other.text.startsWith(block.text))
      return `made-up text: ${block.text}`;
    if (block.type !== "toolCall" || other.type !== "toolCall") continue;
    const isNone = Object.keys(block.arguments).length === 0;
    if (!isNone && !isDeepStrictEqual(block.arguments, other.arguments))
      return `a half call looks whole: ${JSON.stringify(block.arguments)}`;
  }
  return undefined;
}
