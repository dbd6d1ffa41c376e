/** A stage whose model repeats what it was told, and a look at files and requests. */

import { readJsonl, say, sessionFiles, turn, type RecordedRequest } from "@omp/testkit";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { EngineEvent } from "../src/protocol/index.ts";
import { stage, type BootedEngine, type Entry, type Stage } from "./stage.ts";

/** Answers each prompt with `re: <prompt>`. */
export const echo = (request: RecordedRequest) => turn(say(`re: ${said(request).at(-1)}`));

export function echoStage(turns = 200): Promise<Stage> {
  return stage(Array.from({ length: turns }, () => echo));
}

interface RequestMessage {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[];
}

/** The texts of a request's conversation, in order. */
export function said({ body }: RecordedRequest): readonly string[] {
  const { messages } = body as { messages: RequestMessage[] };
  const talk = messages.filter(({ role }) => role !== "system" && role !== "developer");
  return talk.map(({ content }) =>
    typeof content === "string" ? content : content.map(({ text }) => text ?? "").join(""),
  );
}

export function lastSaid({ model }: Stage): readonly string[] {
  return said(model.requests.at(-1)!);
}

/** What a prompt and its echo add to a conversation. */
export function talkOf(...prompts: readonly string[]): string[] {
  return prompts.flatMap((prompt) => [prompt, `re: ${prompt}`]);
}

export function fileOf({ engine }: BootedEngine): string {
  return engine.snapshot().session.file!;
}

export function files({ place }: Stage): Promise<readonly string[]> {
  return sessionFiles(place.home);
}

export async function hashOf(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}

/** The entries of a file, without its title slot and header. */
export async function entriesIn(path: string): Promise<readonly Entry[]> {
  return ((await readJsonl(path)) as Entry[]).filter(
    ({ id, parentId }) => id && parentId !== undefined,
  );
}

export async function headerIn(path: string): Promise<Entry> {
  return ((await readJsonl(path)) as Entry[]).find(({ type }) => type === "session")!;
}

/** The entry of the message with this text. */
export async function entryOf({ engine }: BootedEngine, text: string): Promise<string> {
  const entries = await engine.dispatch({ type: "session_entries" });
  const found = entries.find((entry) => entry.type === "message" && textIn(entry) === text);
  if (!found) throw new Error(`No message says ${text}`);
  return found.id;
}

function textIn(entry: object): string {
  const { content } = (entry as { message: { content: string | { text?: string }[] } }).message;
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("");
}

/** The names of the events about sessions, runs and models, in order. */
export function told({ events }: BootedEngine): readonly string[] {
  const telling: readonly EngineEvent["type"][] = [
    "agent_start",
    "agent_end",
    "session_switch",
    "session_branch",
    "session_tree",
    "session_title",
    "model_change",
  ];
  return events.map(({ type }) => type).filter((type) => telling.includes(type));
}
