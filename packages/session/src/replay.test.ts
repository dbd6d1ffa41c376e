import { expect, test } from "bun:test";
import type { AssistantBlock, Message, StopReason } from "@omp/ai/schema";
import { answer, call, result, said } from "../test/scratch.ts";
import type { EntryDraft } from "./entry.ts";
import { replayable } from "./replay.ts";

/**
 * A script of messages: `u` user, `d` developer, `=1` the result of call 1, and an answer as its
 * blocks in brackets: `t` text, `h` thinking, a digit a call, and `!` or `~` for error and abort.
 */
function script(text: string): Message[] {
  return text.split(" ").map((word) => {
    if (word === "u") return messageIn(said("hello"));
    if (word === "d") return { role: "developer", content: "note", timestamp: 1 };
    if (word.startsWith("=")) return messageIn(result(word.slice(1)));
    const blocks = Array.from(word.replaceAll(/[[\]!~]/g, ""), (letter): AssistantBlock => {
      if (letter === "t") return { type: "text", text: "words" };
      if (letter === "h") return { type: "thinking", thinking: "hm" };
      return call(letter);
    });
    return answer(blocks, stopReasonOf(word));
  });
}

function stopReasonOf(word: string): StopReason {
  if (word.endsWith("!")) return "error";
  if (word.endsWith("~")) return "aborted";
  return /\d/.test(word) ? "toolUse" : "stop";
}

function messageIn(draft: EntryDraft): Message {
  if (draft.type !== "message") throw new Error("not a message");
  return draft.message as Message;
}

function told(messages: readonly Message[]): string {
  return messages.map(word).join(" ");
}

function word(message: Message): string {
  switch (message.role) {
    case "user":
      return "u";
    case "developer":
      return "d";
    case "toolResult":
      return `=${message.toolCallId}`;
    case "assistant":
      return `[${message.content.map(letter).join("")}]`;
  }
}

function letter(block: AssistantBlock): string {
  if (block.type === "toolCall") return block.id;
  return block.type === "text" ? "t" : "h";
}

test.each([
  ["a sound run stays", "u [t1] =1 [12] =2 =1 [t] u", "u [t1] =1 [12] =2 =1 [t] u"],
  ["an unanswered call goes", "u [t1] u", "u [t] u"],
  ["an answer of nothing else goes with it", "u [1] u", "u u"],
  ["the answered calls stay", "u [t12] =2 u", "u [t2] =2 u"],
  ["a thought does not become the end", "u [th1] u", "u [t] u"],
  ["a thought alone is no answer", "u [h] u [h1] u", "u u u"],
  ["a failed answer goes with its results", "u [t1]! =1 u [t]", "u u [t]"],
  ["an aborted answer goes with its results", "u [t12]~ =1 =2 u [t]", "u u [t]"],
  ["a result without a call goes", "=9 u =8 [t1] =1 =1", "u [t1] =1"],
  [
    "what was said in between comes after the results",
    "u [12] =1 u d =2 [t]",
    "u [12] =1 =2 u d [t]",
  ],
  ["ids may come again in later answers", "u [1] =1 [1] =1 [1] u", "u [1] =1 [1] =1 u"],
  ["but not within one", "u [t11] =1 =1 [t]", "u [t1] =1 [t]"],
  ["a result of an earlier answer is no result", "u [t1] [t] =1", "u [t] [t]"],
])("%s", (_, before, after) => expect(told(replayable(script(before)))).toBe(after));

test("an answer that lost its calls does not claim to wait for them", () => {
  const [, kept] = replayable(script("u [t1] u"));
  expect(kept).toMatchObject({ role: "assistant", stopReason: "stop" });
});

test("what needs no mending is passed on as the same object", () => {
  const messages = script("u [t1] =1 [t]");
  replayable(messages).forEach((message, at) => expect(message).toBe(messages[at]!));
});
