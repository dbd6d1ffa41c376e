/** From the words of a command line, its files and standard input to what is asked. */

import type { CommandOf } from "@omp/engine/protocol";
import { nearest } from "@omp/std";
import { resolve } from "node:path";
import { commands } from "../cli/commands/registry.ts";
import type { Invocation } from "../cli/invocation.ts";
import { note } from "../headless/streams.ts";
import { readOutputSchema } from "./output-schema.ts";
import { readStdin } from "./stdin.ts";

export type Prompt = CommandOf<"prompt">;

/** Files go with the first prompt; the schema is for the last answer. */
export async function promptsOf(invocation: Invocation, startedIn: string): Promise<Prompt[]> {
  const { files, outputSchema } = invocation;
  const { said, isPiped } = await textsOf(invocation);
  const texts = said.length === 0 && files.length > 0 ? [""] : said;
  const schema = outputSchema && { outputSchema: readOutputSchema(outputSchema, startedIn) };
  return texts.map((text, index) => ({
    type: "prompt",
    text,
    ...(index === 0 && { files: files.map((path) => resolve(startedIn, path)) }),
    // What is piped in may be anybody's words: it runs no commands and names no files.
    ...(index === 0 && isPiped && { expands: false }),
    ...(index === texts.length - 1 && schema),
  }));
}

/** One prompt for each word; what came by standard input goes before the first. */
async function textsOf({
  messages,
}: Invocation): Promise<{ readonly said: string[]; readonly isPiped: boolean }> {
  const { text, replaced } = await readStdin();
  if (replaced > 0) {
    note(
      `warning: standard input is not UTF-8 in ${replaced} place(s); those bytes were replaced.`,
    );
  }
  if (text.trim() === "") return { said: messages, isPiped: false };
  const [first, ...rest] = messages;
  const said = first === undefined ? [text] : [`${text}\n\n${first}`, ...rest];
  return { said, isPiped: true };
}

/** A mistyped command is a prompt like any other words; a person would like to know before it costs something. */
export function hintAtCommand({ isPrint, mode, messages: [first] }: Invocation): void {
  if (isPrint || mode !== "text" || first === undefined || /\s/.test(first)) return;
  const guess = nearest(
    first,
    commands.map(({ name }) => name),
  );
  if (guess !== undefined) note(`"${first}" is sent as a prompt. The command is: omp ${guess}`);
}
