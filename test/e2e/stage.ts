/** Shared by the scenarios: omp in a workspace against a scripted model, and what that model was told. */

import { runOmp, type ScriptedModel, type Workspace } from "@omp/testkit";

type RunOptions = NonNullable<Parameters<typeof runOmp>[1]>;

export function run(
  place: Workspace,
  model: ScriptedModel,
  args: readonly string[],
  options: Partial<RunOptions> = {},
) {
  return runOmp([...args], {
    cwd: place.path,
    home: place.home,
    ...options,
    env: { ...model.environment(), ...options.env },
  });
}

interface WireMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
}

function messagesOf(model: ScriptedModel, request: number): readonly WireMessage[] {
  return (model.requests[request]!.body as { messages: readonly WireMessage[] }).messages;
}

/** `role: text` of each message of a request. */
export function chat(model: ScriptedModel, request: number): string[] {
  return messagesOf(model, request).map(({ role, content }) => `${role}: ${textOf(content)}`);
}

/** The texts of the user's messages of a request. */
export function texts(model: ScriptedModel, request: number): string[] {
  return messagesOf(model, request)
    .filter(({ role }) => role === "user")
    .map(({ content }) => textOf(content));
}

function textOf(content: WireMessage["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map(({ type, text }) => text ?? `[${type}]`)
    .filter((text) => text !== "[image]")
    .join("");
}
