/** A stage for compactions: the model writes summaries when it is asked for one, and follows a script else. */

import { say, turn, type RecordedRequest, type Turn, type TurnSource } from "@omp/testkit";
import type { EngineEvent } from "../src/protocol/index.ts";
import { said } from "./session-stage.ts";
import { facts } from "./shelf.ts";
import { house, stage, type BootedEngine, type Stage, type StageOptions } from "./stage.ts";

export interface CompactionStage extends Stage {
  /** The requests for a summary, as text. */
  summaries(): readonly string[];
  /** All other requests. */
  turns(): readonly RecordedRequest[];
}

type Source = Turn | ((request: RecordedRequest) => Turn | Promise<Turn>);

/** @param script answers to what is no request for a summary; after them the model says `ok` */
export async function compactionStage(
  script: readonly Source[] = [],
  summary: Source = turn(say("About the work.\n\n## Goal\nSUMMARY")),
): Promise<CompactionStage> {
  const left = [...script];
  const source: TurnSource = (request) => {
    const next = isSummary(request) ? summary : (left.shift() ?? turn(say("ok")));
    return typeof next === "function" ? next(request) : next;
  };
  const set = await stage(Array.from({ length: 400 }, () => source));
  return {
    ...set,
    [Symbol.asyncDispose]: () => set[Symbol.asyncDispose](),
    summaries: () => set.model.requests.filter(isSummary).map(textOf),
    turns: () => set.model.requests.filter((request) => !isSummary(request)),
  };
}

function textOf(request: RecordedRequest): string {
  const { messages } = request.body as { messages?: unknown };
  return messages ? said(request).join("") : JSON.stringify(request.body);
}

function isSummary({ body }: RecordedRequest): boolean {
  return JSON.stringify(body).includes("<conversation>");
}

export const QUICK = "retry: { baseDelayMs: 1 }\n";
/** So that a few prompts are a long conversation. */
export const SHORT = `${QUICK}compaction: { keepRecentTokens: 700 }\n`;

export const SMALL: StageOptions = {
  model: { model: "house/small" },
  extraProviders: [house(facts("small"))],
  config: SHORT,
};

/** A prompt of about 500 tokens that begins with its name. */
export function long(name: string): string {
  return `${name} ${"x".repeat(2000)}`;
}

/** Prompts `one` to `five`. */
export async function talk(booted: BootedEngine): Promise<void> {
  for (const name of ["one", "two", "three", "four", "five"]) await booted.prompt(long(name));
}

export function compactions(events: readonly EngineEvent[]): readonly EngineEvent[] {
  return events.filter(({ type }) => /compact/.test(type));
}

export const measured = (text: string, input: number) => turn(say(text)).with({ usage: { input } });
