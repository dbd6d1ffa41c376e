/** Answers the prompts of a command line without a screen. */

import { boot } from "@omp/engine/boot";
import type { Engine, PromptResult } from "@omp/engine/protocol";
import { UserError } from "@omp/std";
import { bootOptions } from "../boot-options.ts";
import type { CommandRun } from "../cli/command.ts";
import type { Invocation } from "../cli/invocation.ts";
import { note, STDIN, streamKind } from "../headless/streams.ts";
import type { PrintClient } from "./client.ts";
import { createJsonClient } from "./json.ts";
import { createOutput } from "../headless/output.ts";
import { watchSignals } from "../headless/signals.ts";
import { readStdin } from "./stdin.ts";
import { createTextClient } from "./text.ts";
import { absentUi } from "../headless/ui.ts";

export const runPrint: CommandRun = async (invocation, surroundings) => {
  const prompts = await promptsOf(invocation);
  if (prompts.length === 0 && invocation.files.length === 0) return nothingToDo(invocation);
  const engine = await boot(bootOptions(invocation, surroundings, absentUi));
  let isReaderGone = false;
  const abort = () => void engine.dispatch({ type: "abort" });
  const output = createOutput(() => {
    isReaderGone = true;
    abort();
  });
  using signals = watchSignals(abort);
  const client =
    invocation.mode === "json"
      ? createJsonClient(output)
      : await createTextClient(output, invocation);
  const isWanted = () => !isReaderGone && signals.exitCode() === undefined;
  let last: PromptResult | undefined;
  try {
    last = await answerAll(engine, client, prompts, invocation.files, isWanted);
    await output.flush();
  } finally {
    await engine[Symbol.asyncDispose]();
  }
  return isReaderGone ? 0 : verdict(last, signals.exitCode());
};

async function answerAll(
  engine: Engine,
  client: PrintClient,
  prompts: readonly string[],
  files: readonly string[],
  isWanted: () => boolean,
): Promise<PromptResult | undefined> {
  client.start(engine.snapshot());
  engine.subscribe((event) => client.event(event));
  let last: PromptResult | undefined;
  for (const [index, text] of (prompts.length > 0 ? prompts : [""]).entries()) {
    if (!isWanted() || (last && !isFine(last))) break;
    last = await engine.dispatch({ type: "prompt", text, files: index === 0 ? files : [] });
    client.answer(last);
  }
  return last;
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

function verdict(last: PromptResult | undefined, signalled: number | undefined): number {
  if (last?.stopReason === "aborted" || signalled !== undefined) {
    note("Aborted. What was done is in the session; omp -c goes on with it.");
    return signalled ?? 1;
  }
  if (last?.stopReason !== "error") return 0;
  note(`Error: ${last.errorMessage ?? "the model request failed"}`);
  return 1;
}

function isFine({ stopReason }: PromptResult): boolean {
  return stopReason !== "error" && stopReason !== "aborted";
}
