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
  const room = (text: string) => SLOT_BYTES - 1 - Buffer.byteLength(line(text, ""));
  const characters = Array.from(title.slice(0, SLOT_BYTES));
  let text = title;
  while (room(text) < 0 && characters.length > 0) {
    characters.pop();
    text = characters.join("");
  }
  return `${line(text, " ".repeat(Math.max(0, room(text))))}\n`;
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

/** The title in force: that of the slot or header, else the last one that an entry gave. */
export function titleOf(
  header: SessionHeader,
  entries: readonly SessionEntry[],
): Title | undefined {
  const { title, titleSource } = header;
  if (title) return { title, ...(titleSource && { source: titleSource }) };
  const entry = entries.findLast(({ type }) => type === "title_change" || type === "session_info");
  if (!entry) return undefined;
  const { title: given, name, source } = fieldsOf(entry);
  // pi wrote `session_info`, and only when a person gave the name.
  if (entry.type === "session_info")
    return typeof name === "string" && name !== "" ? { title: name, source: "user" } : undefined;
  if (typeof given !== "string" || given === "") return undefined;
  return { title: given, ...((source === "auto" || source === "user") && { source }) };
}
