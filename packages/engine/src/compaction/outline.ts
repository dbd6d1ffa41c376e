/** A summary without a model: what was wanted, decided and failed, in the words of the conversation. Pure. */

import type { AssistantMessage, Message } from "@omp/ai/schema";
import { isRecord, type SessionEntry } from "@omp/session";
import { textOf } from "../sessions/tree-target.ts";
import { messageOf } from "./entry-kind.ts";

export interface Outline {
  readonly text: string;
  /** Entries of which something is in it. */
  readonly used: ReadonlySet<string>;
}

const TITLE = "Outline of the conversation, made without a model.";
const SECTIONS = ["Goals", "Decisions", "Failures", "Open todos"] as const;
type Section = (typeof SECTIONS)[number];
const EARLIER = "Earlier summary";

const MAX_ITEMS = 40;
const MAX_GOAL = 600;
const MAX_ITEM = 300;
const MAX_EARLIER = 12_000;

/** Sentences in which somebody settles on something. */
const DECIDES =
  /\b(?:decid|decision|chose|choose|chosen|instead of|rather than|settled on|will use|going with|go with|agreed|must not|must be|root cause|the (?:fix|problem|reason|cause) (?:is|was)|because)\w*/i;

/** @param previous the summary before this one, without what we added to it */
export function outlineOf(entries: readonly SessionEntry[], previous: string | undefined): Outline {
  const sections = sectionsIn(previous);
  const used = new Set<string>();
  const calls = new Map<string, string>();
  for (const entry of entries) {
    const message = messageOf(entry);
    if (!message) continue;
    const found = itemsIn(message, calls);
    if (found.length > 0) used.add(entry.id);
    for (const { section, text } of found) add(sections.lists[section], text);
  }
  const todos = openTodos(entries);
  if (todos) sections.lists["Open todos"] = new Set(todos);
  return { text: written(sections), used };
}

interface Sections {
  readonly lists: Record<Section, Set<string>>;
  readonly earlier: string;
}

interface Item {
  readonly section: Section;
  readonly text: string;
}

function itemsIn(message: Message, calls: Map<string, string>): readonly Item[] {
  switch (message.role) {
    case "user": {
      if (message.attribution === "agent") return [];
      const text = oneLine(textOf(message.content), MAX_GOAL);
      return text === "" ? [] : [{ section: "Goals", text }];
    }
    case "assistant":
      for (const block of message.content)
        if (block.type === "toolCall") calls.set(block.id, callText(block.name, block.arguments));
      return decisionsIn(message);
    case "toolResult": {
      if (!message.isError) return [];
      const call = calls.get(message.toolCallId) ?? message.toolName;
      const text = `${call}: ${oneLine(firstLines(textOf(message.content)), MAX_ITEM)}`;
      return [{ section: "Failures", text }];
    }
    case "developer":
      return [];
  }
}

function decisionsIn({ content }: AssistantMessage): readonly Item[] {
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => DECIDES.test(sentence))
    .map((sentence) => ({ section: "Decisions", text: oneLine(sentence, MAX_ITEM) }));
}

/** The command or the path says most about a call. */
function callText(name: string, args: Readonly<Record<string, unknown>>): string {
  const { command, path } = args;
  const main = [command, path].find((value) => typeof value === "string");
  return `${name} \`${oneLine(typeof main === "string" ? main : JSON.stringify(args), 200)}\``;
}

const FIRST_LINES = 3;

function firstLines(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(0, FIRST_LINES).join(" | ");
}

/** Of the latest list; undefined where there was none. */
function openTodos(entries: readonly SessionEntry[]): readonly string[] | undefined {
  for (const entry of entries.toReversed()) {
    const message = messageOf(entry);
    if (message?.role !== "toolResult" || message.toolName !== "todo") continue;
    const { details } = message;
    if (!isRecord(details) || !Array.isArray(details.phases)) continue;
    return details.phases.flatMap((phase: unknown) => tasksIn(phase));
  }
  return undefined;
}

function tasksIn(phase: unknown): readonly string[] {
  if (!isRecord(phase) || !Array.isArray(phase.tasks)) return [];
  return phase.tasks.filter(isRecord).flatMap(({ content, status }) => {
    const isOpen = status === "pending" || status === "in_progress";
    return isOpen && typeof content === "string" ? oneLine(content, MAX_ITEM) : [];
  });
}

/** The lists of an outline before this one go on; any other summary stands as it is. */
function sectionsIn(previous: string | undefined): Sections {
  const lists = Object.fromEntries(SECTIONS.map((name) => [name, new Set<string>()])) as Record<
    Section,
    Set<string>
  >;
  if (previous === undefined) return { lists, earlier: "" };
  if (!previous.startsWith(TITLE)) return { lists, earlier: previous.slice(0, MAX_EARLIER) };
  const [own = "", earlier = ""] = previous.split(`\n## ${EARLIER}\n`);
  for (const part of own.split("\n## ").slice(1)) {
    const [name, ...lines] = part.split("\n");
    const section = SECTIONS.find((known) => known === name);
    if (section)
      for (const line of lines) if (line.startsWith("- ")) lists[section].add(line.slice(2));
  }
  return { lists, earlier: earlier.trim() };
}

function written({ lists, earlier }: Sections): string {
  const parts = SECTIONS.flatMap((name) => {
    const items = [...lists[name]];
    return items.length === 0 ? [] : [`## ${name}\n${items.map((item) => `- ${item}`).join("\n")}`];
  });
  const before = earlier === "" ? [] : [`## ${EARLIER}\n${earlier}`];
  return [TITLE, ...parts, ...before].join("\n\n");
}

/** The first ones say what it is about, the last ones where it stands: the middle goes. */
const FIRST_ITEMS = 10;

function add(list: Set<string>, text: string): void {
  if (text !== "") list.add(text);
  if (list.size <= MAX_ITEMS) return;
  for (const [index, item] of [...list].entries()) {
    if (index !== FIRST_ITEMS) continue;
    list.delete(item);
    return;
  }
}

function oneLine(text: string, max: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 3)}...` : line;
}
