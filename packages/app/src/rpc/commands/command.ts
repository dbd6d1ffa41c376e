/** What a wire command is: when its turn comes, how its fields become a command of the engine, what it answers. */

import type { Engine, EngineEvent } from "@omp/engine/protocol";
import type { RpcCommandName, RpcData } from "@omp/rpc-client/wire";
import type { Fields } from "../fields.ts";
import type { RunWatch } from "../run-watch.ts";

/**
 * - `in-turn`: one after the other, so that a client need not wait for each answer
 * - `acknowledged`: answered as soon as it is understood; only a failure is told once more
 * - `aside`: begins in its turn, and the next ones do not wait for its end
 * - `urgent`: overtakes whatever is at work
 */
type Order = "in-turn" | "acknowledged" | "aside" | "urgent";

/** What the commands use besides the engine. */
export interface Desk {
  readonly engine: Engine;
  readonly run: RunWatch;
  /** Tells the client as if the engine had. */
  announce(event: EngineEvent): void;
}

export interface WireCommand<Data> {
  readonly order: Order;
  /** Checks the fields; what is returned does the work. @throws UserError that names the field */
  prepare(fields: Fields, desk: Desk): () => Promise<Data>;
}

/** A command of the vocabulary without its entry does not compile. */
export type WireTable<Names extends RpcCommandName = RpcCommandName> = {
  readonly [Name in Names]: WireCommand<RpcData<Name>>;
};

type Prepare<Data> = WireCommand<Data>["prepare"];

export const inTurn = <Data>(prepare: Prepare<Data>): WireCommand<Data> => ({
  order: "in-turn",
  prepare,
});

export const acknowledged = (prepare: Prepare<undefined>): WireCommand<undefined> => ({
  order: "acknowledged",
  prepare,
});

export const aside = <Data>(prepare: Prepare<Data>): WireCommand<Data> => ({
  order: "aside",
  prepare,
});

export const urgent = <Data>(prepare: Prepare<Data>): WireCommand<Data> => ({
  order: "urgent",
  prepare,
});

/** For commands whose answer is that they were done. */
export async function done(work: Promise<unknown>): Promise<undefined> {
  await work;
  return undefined;
}
