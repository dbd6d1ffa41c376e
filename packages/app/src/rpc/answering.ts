/** Commands of the client in their order, each with its answer. A failure is an answer too. */

import type { OutFrame } from "@omp/rpc-client/wire";
import { ignore, log, messageOf, UserError } from "@omp/std";
import type { Desk, WireCommand } from "./commands/command.ts";
import { wireCommands } from "./commands/registry.ts";
import { Fields } from "./fields.ts";
import type { Frame } from "./frame.ts";

export interface Answering {
  take(frame: Frame): void;
  /** Resolves when every command taken so far has its answer. */
  settled(): Promise<void>;
}

const table: Readonly<Record<string, WireCommand<unknown>>> = wireCommands;

/** `desk` is there when the engine is; until then the commands wait. */
export function createAnswering(desk: Promise<Desk>, send: (frame: OutFrame) => void): Answering {
  /** What the next command waits for. */
  let turn: Promise<unknown> = desk;
  desk.catch((error: unknown) => ignore(error, "the engine could not start; the program says so"));
  const working = new Set<Promise<void>>();

  function take(frame: Frame): void {
    const command = Object.hasOwn(table, frame.type) ? table[frame.type] : undefined;
    if (!command) return send(failure(frame, `Unknown command: ${frame.type}`));
    const begun = Promise.withResolvers<void>();
    const work = (command.order === "urgent" ? desk : turn)
      .then(async () => perform(command, frame, await desk, begun.resolve))
      .catch((error: unknown) => ignore(error, "the engine could not start; the program says so"))
      .finally(() => working.delete(work));
    working.add(work);
    if (command.order === "in-turn") turn = work;
    else if (command.order !== "urgent") turn = begun.promise;
  }

  async function perform(
    { order, prepare }: WireCommand<unknown>,
    frame: Frame,
    at: Desk,
    onBegun: () => void,
  ): Promise<void> {
    try {
      const job = prepare(new Fields(frame.fields), at);
      if (order === "acknowledged") send(success(frame, undefined));
      const result = job();
      onBegun();
      const data = await result;
      if (order !== "acknowledged") send(success(frame, data));
    } catch (error) {
      onBegun();
      const text = complaint(error, frame);
      send(failure(frame, text));
      if (at.run.takeBroken()) tellBroken(at, text);
    }
  }

  return {
    take,
    async settled() {
      while (working.size > 0) await Promise.all(working);
    },
  };
}

/** Who waits for the end of the run must hear of it, whatever went wrong. */
function tellBroken({ announce }: Desk, text: string): void {
  announce({ type: "notice", level: "error", text });
  announce({ type: "agent_end", messages: [] });
}

/** A line that is no command at all. */
export function parseFailure({ problem, id }: { problem: string; id?: Frame["id"] }): OutFrame {
  return failure({ type: "parse", id }, problem);
}

function success({ id, type }: Frame, data: unknown): OutFrame {
  const own = id === undefined ? {} : { id };
  const known = data === undefined ? {} : { data };
  return { ...own, type: "response", command: type, success: true, ...known };
}

function failure({ id, type }: Pick<Frame, "id" | "type">, error: string): OutFrame {
  const own = id === undefined ? {} : { id };
  return { ...own, type: "response", command: type, success: false, error };
}

function complaint(error: unknown, { type }: Frame): string {
  if (!(error instanceof UserError)) {
    const stack = error instanceof Error ? error.stack : String(error);
    log.error("rpc-command-failed", { command: type, error: stack });
  }
  return messageOf(error);
}
