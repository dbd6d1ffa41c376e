/** What of an entry can be found: the words of the person, the model and the tools. Pure. */

import { sanitize } from "@omp/std";
import { isRecord, type Fields } from "./entry.ts";

export interface EntryText {
  /** Who said it: a role of messages, or `summary`, `title`, `custom`. */
  readonly role: string;
  readonly text: string;
}

/** No word behind this is found: outputs of this length are not what people remember. */
const MAX_TEXT = 100_000;

export function entryText(entry: Fields): EntryText | undefined {
  const found = textOf(entry);
  if (!found) return undefined;
  // A word is found as it is shown, not as a colour code in front of it makes it.
  const text = sanitize(found.text.slice(0, MAX_TEXT));
  return text.trim() === "" ? undefined : { ...found, text };
}

/** The text of a message of the person; undefined for every other entry. */
export function userText(entry: Fields): string | undefined {
  const { type, message } = entry;
  if (type !== "message" || !isRecord(message) || message.role !== "user") return undefined;
  return contentText(message.content);
}

function textOf(entry: Fields): EntryText | undefined {
  switch (entry.type) {
    case "message":
      return isRecord(entry.message) ? messageText(entry.message) : undefined;
    case "custom_message":
      return { role: "custom", text: contentText(entry.content) };
    case "compaction":
    case "branch_summary":
      return { role: "summary", text: stringsIn(entry.summary) };
    case "title_change":
      return { role: "title", text: stringsIn(entry.title) };
    case "session_info":
      return { role: "title", text: stringsIn(entry.name) };
    default:
      return undefined;
  }
}

function messageText(message: Fields): EntryText | undefined {
  const { role } = message;
  if (typeof role !== "string") return undefined;
  switch (role) {
    case "bashExecution":
      return { role, text: stringsIn([message.command, message.output]) };
    case "pythonExecution":
      return { role, text: stringsIn([message.code, message.output]) };
    default:
      return { role, text: contentText(message.content) };
  }
}

/** Text blocks, and what tools were called with: commands and paths are what people look for. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter(isRecord)
    .map((block) => {
      if (block.type === "text") return stringsIn(block.text);
      return block.type === "toolCall" ? stringsIn([block.name, block.arguments]) : "";
    })
    .filter((text) => text !== "")
    .join("\n");
}

/** All strings in a value, one on each line. Without recursion: nobody promised that it is shallow. */
function stringsIn(value: unknown): string {
  const strings: string[] = [];
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") strings.push(next);
    else if (typeof next === "object" && next !== null)
      for (const inner of Object.values(next).toReversed()) waiting.push(inner);
  }
  return strings.join("\n");
}
