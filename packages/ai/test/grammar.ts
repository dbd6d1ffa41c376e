/** The grammar of a stream of events, checked event by event. */

import { expect } from "bun:test";
import type { AssistantMessage, FinalEvent, ModelEvent, ModelStream } from "../src/schema/index.ts";

export interface Collected {
  readonly events: readonly ModelEvent[];
  readonly types: readonly string[];
  readonly final: FinalEvent;
  readonly message: AssistantMessage;
}

/** Iterates a whole stream, checking on the way what must hold at each event. */
export async function collect(stream: ModelStream): Promise<Collected> {
  const events: ModelEvent[] = [];
  const check = grammar();
  for await (const event of stream) {
    check(event);
    events.push(event);
  }
  const final = events.at(-1);
  if (final?.type !== "done" && final?.type !== "error") throw new Error("no final event");
  expect(await stream.result).toBe(final);
  return { events, types: events.map(({ type }) => type), final, message: final.message };
}

type BlockState = { kind: string; text: string; isOpen: boolean };

/** @returns what must be called with every event, in order */
export function grammar(): (event: ModelEvent) => void {
  const blocks: BlockState[] = [];
  let state: "before" | "within" | "after" = "before";
  return (event) => {
    expect(state).toBe(event.type === "start" ? "before" : "within");
    if (event.type === "start") {
      state = "within";
      return;
    }
    if (event.type === "done" || event.type === "error") {
      state = "after";
      expect(blocks.filter(({ isOpen }) => isOpen)).toEqual([]);
      expect(event.message.content).toHaveLength(blocks.length);
      expect(event.message.stopReason).toBe(event.reason);
      return;
    }
    const [kind = "", step] = event.type.split("_");
    if (step === "start") {
      expect(event.contentIndex).toBe(blocks.length);
      blocks.push({ kind, text: "", isOpen: true });
    }
    const block = blocks[event.contentIndex];
    if (!block) throw new Error(`${event.type} for a block that never started`);
    expect(block).toMatchObject({ kind, isOpen: true });
    if ("delta" in event) block.text += event.delta;
    if (step === "end") block.isOpen = false;
    checkPartial(event, block.text);
  };
}

/** The message so far holds what the deltas so far have said. */
function checkPartial(event: Extract<ModelEvent, { contentIndex: number }>, text: string): void {
  const shown = event.partial.content[event.contentIndex];
  // A wire without starts begins a block with its first delta: there the message is one ahead.
  const isStart = event.type.endsWith("_start");
  if (shown?.type === "text" && !isStart) expect(shown.text).toBe(text);
  if (shown?.type === "thinking" && !isStart) expect(shown.thinking).toBe(text);
  if (shown?.type === "toolCall") expect(shown.arguments).toBeObject();
  if (event.type === "text_end" || event.type === "thinking_end") expect(event.content).toBe(text);
  if (event.type !== "toolcall_end") return;
  const { toolCall } = event;
  if (toolCall.malformedArguments !== undefined) expect(toolCall.malformedArguments).toBe(text);
  else if (text !== "") expect(toolCall.arguments).toEqual(JSON.parse(text));
}
