/** Answers the prompts of a command line without a screen. */

import { boot } from "@omp/engine/boot";
import type { Engine, PromptResult } from "@omp/engine/protocol";
import { ignore, UserError } from "@omp/std";
import { bootOptions } from "../boot-options.ts";
import type { CommandRun, Surroundings } from "../cli/command.ts";
import type { Invocation } from "../cli/invocation.ts";
import { askingUi } from "../headless/ask.ts";
import { note, STDIN, streamKind } from "../headless/streams.ts";
import type { PrintClient } from "./client.ts";
import { createJsonClient } from "./json.ts";
import { createOutput } from "../headless/output.ts";
import { watchSignals } from "../headless/signals.ts";
import { limitTime, TIME_IS_OVER } from "../headless/time-limit.ts";
import type { Timing } from "../timing.ts";
import { hintAtCommand, promptsOf, type Prompt } from "./prompts.ts";
import { createTextClient } from "./text.ts";
import { absentUi } from "../headless/ui.ts";

export const runPrint: CommandRun = async (invocation, surroundings) => {
  const prompts = await promptsOf(invocation, surroundings.startedIn);
  if (prompts.length === 0) return nothingToDo(invocation);
  if (!(await chooseSession(invocation, surroundings))) return 0;
  hintAtCommand(invocation);
  const { timing } = surroundings;
  const engine = await timing.span("boot", () =>
    boot(bootOptions(invocation, surroundings, askingUi(absentUi))),
  );
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
    last = await answerAll(engine, client, prompts, isWanted, timing);
    await output.flush();
  } catch (error) {
    if (stopped() === undefined) throw error;
    ignore(error, "the run was stopped, and this is how it ended");
  } finally {
    await engine[Symbol.asyncDispose]();
  }
  if (isReaderGone) return 0;
  return verdict(last, { exitCode: stopped(), isStored: !invocation.isInMemory });
};

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

/** @returns false when there is none to choose, or the person chose none */
async function chooseSession(invocation: Invocation, surroundings: Surroundings): Promise<boolean> {
  if (invocation.resume !== "" || invocation.isInMemory) return true;
  return (await import("../sessions/choose.ts")).chooseSession(invocation, surroundings);
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
