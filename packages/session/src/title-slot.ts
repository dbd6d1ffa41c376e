/** The first line of a session file: 256 bytes that hold the title, so that a rename can write them in place. */

import { fieldsOf, type Fields, type SessionEntry, type SessionHeader } from "./entry.ts";

export const SLOT_BYTES = 256;

export interface Title {
  readonly title: string;
  readonly source?: "auto" | "user";
}

/** The slot with its newline. A title that does not fit is cut between characters. */
export function titleSlot({ title, source }: Title, updatedAt: string): string {
  const line = (text: string, pad: string) =>
    JSON.stringify({ type: "title", v: 1, title: text, source, updatedAt, pad });
  const room = (text: string) => SLOT_BYTES - 1 - bytesIn(line(text, ""));
  let text = title;
  if (room(title) < 0) {
    const characters = Array.from(title.slice(0, SLOT_BYTES));
    while (room(text) < 0 && characters.pop() !== undefined) text = characters.join("");
  }
  return `${line(text, " ".repeat(Math.max(0, room(text))))}\n`;
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What a slot read from a file says; undefined for any other line. */
export function readTitleSlot(line: Fields): Title | undefined {
  if (line.type !== "title") return undefined;
  const title = typeof line.title === "string" ? line.title : "";
  return line.source === "auto" || line.source === "user"
    ? { title, source: line.source }
    : { title };
}

/** Whether these are the 256 bytes of a slot, to be written over. */
export function isTitleSlot(text: string): boolean {
  return text.startsWith('{"type":"title"') && text.indexOf("\n") === text.length - 1;
}

/**
 * The title in force. The slot is written with every change; in files without one the last entry
 * counts, and the header holds what was there at the beginning.
 */
export function titleOf(
  { title, titleSource }: SessionHeader,
  entries: readonly SessionEntry[],
  slot: Title | undefined,
): Title | undefined {
  if (slot) return slot;
  const entry = entries.findLast(({ type }) => type === "title_change" || type === "session_info");
  const given = entry && titleIn(entry);
  return given ?? (title ? { title, ...(titleSource && { source: titleSource }) } : undefined);
}

/** pi wrote `session_info`, and only when a person gave the name. */
function titleIn(entry: SessionEntry): Title | undefined {
  const { title, name, source } = fieldsOf(entry);
  const text = entry.type === "session_info" ? name : title;
  if (typeof text !== "string" || text === "") return undefined;
  if (entry.type === "session_info") return { title: text, source: "user" };
  return { title: text, ...((source === "auto" || source === "user") && { source }) };
}
