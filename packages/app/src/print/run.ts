/** Answers the prompts of a command line without a screen. */

import { boot } from "@omp/engine/boot";
import type { CommandOf, Engine, PromptResult } from "@omp/engine/protocol";
import { nearest, UserError } from "@omp/std";
import { resolve } from "node:path";
import { bootOptions } from "../boot-options.ts";
import type { CommandRun } from "../cli/command.ts";
import { commands } from "../cli/commands/registry.ts";
import type { Invocation } from "../cli/invocation.ts";
import { note, STDIN, streamKind } from "../headless/streams.ts";
import type { PrintClient } from "./client.ts";
import { createJsonClient } from "./json.ts";
import { createOutput } from "../headless/output.ts";
import { watchSignals } from "../headless/signals.ts";
import { limitTime, TIME_IS_OVER } from "../headless/time-limit.ts";
import type { Timing } from "../timing.ts";
import { readOutputSchema } from "./output-schema.ts";
import { readStdin } from "./stdin.ts";
import { createTextClient } from "./text.ts";
import { absentUi } from "../headless/ui.ts";

export const runPrint: CommandRun = async (invocation, surroundings) => {
  const prompts = await promptsOf(invocation);
  if (prompts.length === 0 && invocation.files.length === 0) return nothingToDo(invocation);
  const asked = commandsFor(prompts, invocation, surroundings.startedIn);
  hintAtCommand(invocation);
  const engine = await boot(bootOptions(invocation, surroundings, absentUi));
  let isReaderGone = false;
  const abort = () => void engine.dispatch({ type: "abort" });
  const output = createOutput(() => {
    isReaderGone = true;
    abort();
  });
  using signals = watchSignals(abort);
  using limit = limitTime(invocation.maxTimeMs, abort);
  const client =
    invocation.mode === "json"
      ? createJsonClient(output)
      : await createTextClient(output, invocation);
  const stopped = () => signals.exitCode() ?? limit.exitCode();
  const isWanted = () => !isReaderGone && stopped() === undefined;
  let last: PromptResult | undefined;
  try {
    last = await answerAll(engine, client, asked, isWanted, surroundings.timing);
    await output.flush();
  } finally {
    await engine[Symbol.asyncDispose]();
  }
  if (isReaderGone) return 0;
  return verdict(last, { exitCode: stopped(), isStored: !invocation.isInMemory });
};

type Prompt = CommandOf<"prompt">;

async function answerAll(
  engine: Engine,
  client: PrintClient,
  prompts: readonly Prompt[],
  isWanted: () => boolean,
  timing: Timing,
): Promise<PromptResult | undefined> {
  client.start(engine.snapshot());
  engine.subscribe((event) => client.event(event));
  let last: PromptResult | undefined;
  for (const prompt of prompts) {
    if (!isWanted() || (last && !isFine(last))) break;
    const span = `print:prompt:${last ? "next" : "initial"}`;
    last = await timing.span(span, () => engine.dispatch(prompt));
    client.answer(last);
  }
  return last;
}

/** Files go with the first prompt; the schema is for the last answer. */
function commandsFor(
  prompts: readonly string[],
  { files, outputSchema }: Invocation,
  startedIn: string,
): Prompt[] {
  const texts = prompts.length > 0 ? prompts : [""];
  const schema = outputSchema && { outputSchema: readOutputSchema(outputSchema, startedIn) };
  return texts.map((text, index) => ({
    type: "prompt",
    text,
    ...(index === 0 && { files: files.map((path) => resolve(startedIn, path)) }),
    ...(index === texts.length - 1 && schema),
  }));
}

/** A mistyped command is a prompt like any other words; a person would like to know before it costs something. */
function hintAtCommand({ isPrint, mode, messages: [first] }: Invocation): void {
  if (isPrint || mode !== "text" || first === undefined || /\s/.test(first)) return;
  const guess = nearest(
    first,
    commands.map(({ name }) => name),
  );
  if (guess !== undefined) note(`"${first}" is sent as a prompt. The command is: omp ${guess}`);
}

/** One prompt for each word; what came by standard input goes before the first. */
async function promptsOf({ messages }: Invocation): Promise<string[]> {
  const { text, replaced } = await readStdin();
  if (replaced > 0) {
    note(
      `warning: standard input is not UTF-8 in ${replaced} place(s); those bytes were replaced.`,
    );
  }
  if (text.trim() === "") return messages;
  const [first, ...rest] = messages;
  return first === undefined ? [text] : [`${text}\n\n${first}`, ...rest];
}

async function nothingToDo({ isPrint, mode }: Invocation): Promise<number> {
  if (isPrint || mode === "json" || (await streamKind(STDIN)) !== "terminal") return 0;
  throw new UserError(
    "unsupported",
    'Nothing to do: the interactive screen is not built yet. Ask with omp -p "...", or watch omp demo.',
  );
}

interface Ending {
  /** What a signal or the time limit asks for. */
  readonly exitCode: number | undefined;
  readonly isStored: boolean;
}

function verdict(last: PromptResult | undefined, { exitCode, isStored }: Ending): number {
  if (last?.stopReason === "aborted" || exitCode !== undefined) {
    const kept = isStored ? " What was done is in the session; omp -c goes on with it." : "";
    note(`${exitCode === TIME_IS_OVER ? "The time of --max-time is over." : "Aborted."}${kept}`);
    return exitCode ?? 1;
  }
  if (last?.stopReason !== "error") return 0;
  note(`Error: ${last.errorMessage ?? "the model request failed"}`);
  return 1;
}

function isFine({ stopReason }: PromptResult): boolean {
  return stopReason !== "error" && stopReason !== "aborted";
}
