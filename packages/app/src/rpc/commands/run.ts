/** Wire commands about the run: what is said, and how it is stopped. */

import type { PromptResult } from "@omp/engine/protocol";
import { UserError } from "@omp/std";
import type { Fields } from "../fields.ts";
import { acknowledged, aside, done, inTurn, urgent, type Desk, type WireTable } from "./command.ts";

const QUEUE_MODES = ["all", "one-at-a-time"] as const;
const INTERRUPT_MODES = ["immediate", "wait"] as const;
const BEHAVIORS = ["steer", "followUp"] as const;
type Behavior = (typeof BEHAVIORS)[number] | undefined;

type Names =
  | "prompt"
  | "steer"
  | "follow_up"
  | "abort"
  | "abort_and_prompt"
  | "clear_queue"
  | "set_steering_mode"
  | "set_follow_up_mode"
  | "set_interrupt_mode"
  | "set_auto_retry"
  | "abort_retry"
  | "bash"
  | "abort_bash";

export const runCommands: WireTable<Names> = {
  prompt: acknowledged((fields, desk) => {
    const said = saidIn(fields);
    const behavior = fields.optionalChoice("streamingBehavior", BEHAVIORS);
    // A slash command may be for now; the engine knows.
    if (isBusy(desk) && behavior === undefined && !said.text.startsWith("/")) {
      throw new UserError(
        "busy",
        'A run is in progress. Say "streamingBehavior": "steer" or "followUp" to queue the message.',
      );
    }
    return () => (isBusy(desk) ? queue(desk, said, behavior) : begin(desk, said));
  }),
  steer: inTurn((fields, { engine }) => {
    const said = saidIn(fields);
    return () => done(engine.dispatch({ type: "steer", ...said }));
  }),
  follow_up: inTurn((fields, { engine }) => {
    const said = saidIn(fields);
    return () => done(engine.dispatch({ type: "follow_up", ...said }));
  }),
  abort: urgent(
    (_, { engine }) =>
      () =>
        done(engine.dispatch({ type: "abort" })),
  ),
  abort_and_prompt: acknowledged((fields, desk) => {
    const said = saidIn(fields);
    return async () => {
      await desk.engine.dispatch({ type: "abort" });
      return begin(desk, said);
    };
  }),
  clear_queue: urgent(
    (_, { engine }) =>
      () =>
        engine.dispatch({ type: "clear_queue" }),
  ),
  set_steering_mode: inTurn((fields, { engine }) => {
    const mode = fields.choice("mode", QUEUE_MODES);
    return () => done(engine.dispatch({ type: "set_steering_mode", mode }));
  }),
  set_follow_up_mode: inTurn((fields, { engine }) => {
    const mode = fields.choice("mode", QUEUE_MODES);
    return () => done(engine.dispatch({ type: "set_follow_up_mode", mode }));
  }),
  set_interrupt_mode: inTurn((fields, { engine }) => {
    const mode = fields.choice("mode", INTERRUPT_MODES);
    return () => done(engine.dispatch({ type: "set_interrupt_mode", mode }));
  }),
  set_auto_retry: inTurn((fields, { engine }) => {
    const enabled = fields.flag("enabled");
    return () => done(engine.dispatch({ type: "set_auto_retry", enabled }));
  }),
  abort_retry: urgent(
    (_, { engine }) =>
      () =>
        done(engine.dispatch({ type: "abort_retry" })),
  ),
  bash: aside((fields, { engine }) => {
    const text = fields.text("command");
    return () => engine.dispatch({ type: "execute", language: "bash", text });
  }),
  abort_bash: urgent(
    (_, { engine }) =>
      () =>
        done(engine.dispatch({ type: "abort_execute" })),
  ),
};

type Said = ReturnType<typeof saidIn>;

function saidIn(fields: Fields) {
  return { text: fields.text("message"), ...fields.images("images") };
}

/** A run that has told its end is over for the client, although it may still be writing its last lines. */
function isBusy({ engine, run }: Desk): boolean {
  return engine.snapshot().isRunning && !run.isEnding;
}

async function begin(desk: Desk, said: Said): Promise<undefined> {
  const { engine, run } = desk;
  if (run.isEnding) await run.ended;
  const result = engine.dispatch({ type: "prompt", ...said });
  run.follow(result);
  return settle(desk, await result);
}

async function queue(desk: Desk, said: Said, behavior: Behavior): Promise<undefined> {
  const way = behavior === undefined ? {} : { streamingBehavior: behavior };
  return settle(desk, await desk.engine.dispatch({ type: "prompt", ...said, ...way }));
}

/** A slash command that asked no model tells its end like a run, because that is what clients wait for. */
function settle({ announce, engine }: Desk, { isCommand, text }: PromptResult): undefined {
  if (!isCommand) return;
  if (text !== "") announce({ type: "notice", level: "info", text });
  if (engine.snapshot().isRunning) return;
  announce({ type: "agent_start" });
  announce({ type: "agent_end", messages: [] });
}
