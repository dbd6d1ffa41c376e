/** RPC mode: commands as lines on standard input, answers and events as lines on standard output. */

import { boot } from "@omp/engine/boot";
import type { Engine, EngineEvent } from "@omp/engine/protocol";
import { sleep, systemClock, UserError } from "@omp/std";
import { bootOptions } from "../boot-options.ts";
import type { CommandRun, Surroundings } from "../cli/command.ts";
import type { Invocation } from "../cli/invocation.ts";
import { watchSignals } from "../headless/signals.ts";
import { createAnswering } from "./answering.ts";
import type { Desk } from "./commands/command.ts";
import { createConnection, listen, type Connection } from "./connection.ts";
import { forward } from "./events.ts";
import { RunWatch } from "./run-watch.ts";

/** For the last lines, when the client has closed its end. */
const PATIENCE_MS = 5_000;

/** A program counts on how omp works; how its user likes to work in the terminal must not change it. */
const WORKFLOW_SETTINGS = ["todo.", "task.", "async.", "bash.autoBackground."];

export const runRpc: CommandRun = async (invocation, surroundings) => {
  refuseWords(invocation);
  const connection = createConnection(systemClock, surroundings.environment);
  const desk = Promise.withResolvers<Desk>();
  const answering = createAnswering(desk.promise, connection.send);
  using signals = watchSignals(connection.end);
  // The answer to a question of the start must be heard before the engine is there, or that none will come.
  const reading = listen(connection, answering).finally(() => hangUp(connection));
  const engine = await start(invocation, surroundings, connection).catch((error: unknown) => {
    desk.reject(error);
    connection.end();
    throw error;
  });
  desk.resolve(deskOf(engine, connection));
  connection.outbox.ready();
  try {
    await reading;
    await stop(engine);
    // What takes longer than this is ended with the engine.
    await Promise.race([answering.settled(), sleep(systemClock, PATIENCE_MS)]);
  } finally {
    await engine[Symbol.asyncDispose]();
  }
  await connection.outbox.drained(PATIENCE_MS);
  return signals.exitCode() ?? 0;
};

function refuseWords({ files, messages }: Invocation): void {
  const [file] = files;
  if (file !== undefined) {
    throw new UserError(
      "usage",
      `RPC mode takes no files on the command line: @${file}. Send the content with a prompt command.`,
    );
  }
  if (messages.length === 0) return;
  throw new UserError(
    "usage",
    `RPC mode takes no prompt on the command line: "${messages[0]}". Send it as a prompt command.`,
  );
}

function start(
  invocation: Invocation,
  surroundings: Surroundings,
  { ui, hostTools }: Connection,
): Promise<Engine> {
  return boot({
    ...bootOptions(invocation, surroundings, ui.port),
    hostTools: hostTools.port,
    unchangedSettings: WORKFLOW_SETTINGS,
  });
}

function deskOf(engine: Engine, { outbox, ui }: Connection): Desk {
  const run = new RunWatch();
  const announce = (event: EngineEvent) => forward(event, outbox, ui.port);
  engine.subscribe((event) => {
    run.hear(event);
    announce(event);
  });
  return { engine, run, announce };
}

/** Nobody is left to answer. */
function hangUp({ ui, hostTools }: Connection): void {
  ui.close();
  hostTools.close();
}

/** Nobody is left to wait: what is at work ends now, and is recorded as it is. */
async function stop(engine: Engine): Promise<void> {
  await engine.dispatch({ type: "abort_execute" });
  await engine.dispatch({ type: "abort" });
}
