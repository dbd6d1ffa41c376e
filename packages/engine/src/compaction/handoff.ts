/** Goes on in a new session that begins with a document about the old one. */

import type { Message, ModelStream, ToolChoice } from "@omp/ai/schema";
import type { SessionLog } from "@omp/session";
import { UserError, type Clock } from "@omp/std";
import { textOf } from "../sessions/tree-target.ts";
import instruction from "./prompts/handoff.md" with { type: "text" };

export interface HandoffDeps {
  readonly conversation: {
    readonly log: SessionLog;
    readonly messages: readonly Message[];
    reload(): void;
  };
  readonly clock: Clock;
  /** A request like those of the run, so that the provider's cache serves it. */
  stream(
    messages: readonly Message[],
    signal: AbortSignal,
    options: { readonly toolChoice: ToolChoice },
  ): ModelStream;
  /** A new session takes over. @returns whether nobody cancelled it */
  newSession(parentSession: string): Promise<boolean>;
  /** Writes the document down beside the new session; absent where that is not wanted. */
  keep?(log: SessionLog, document: string): Promise<void>;
}

/** False where no document came, or when it was aborted or cancelled: everything is as it was. */
export async function handOff(
  deps: HandoffDeps,
  focus: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const { conversation } = deps;
  const { log: before } = conversation;
  if (conversation.messages.length === 0)
    throw new UserError("session", "There is nothing to hand off yet");
  const document = await documentOf(deps, focus, signal);
  if (document === "" || signal.aborted) return false;
  if (!(await deps.newSession(before.header.id))) return false;
  const { log } = conversation;
  log.append({
    type: "custom_message",
    customType: "handoff",
    content: document,
    display: true,
    attribution: "agent",
  });
  log.persist();
  conversation.reload();
  await deps.keep?.(log, document);
  return true;
}

async function documentOf(
  { conversation, clock, stream }: HandoffDeps,
  focus: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const wish = focus ? `${instruction.trim()}\n\nAbove all: ${focus}` : instruction.trim();
  const said = {
    role: "user",
    content: wish,
    timestamp: clock.now(),
    attribution: "agent",
  } as const;
  const turn = stream([...conversation.messages, said], signal, { toolChoice: "none" });
  const { message } = await turn.result;
  return message.stopReason === "error" ? "" : textOf(message.content).trim();
}
