/** The dispatch table and the event hub. Owns no state of its own. */

import { log, messageOf } from "@omp/std";
import type { CommandOf, CommandType, Handlers, ResultOf } from "./protocol/command.ts";
import type { EngineEvent } from "./protocol/event.ts";
import type { Engine } from "./protocol/index.ts";
import type { Snapshot } from "./protocol/snapshot.ts";

export interface EngineParts {
  readonly handlers: Handlers;
  readonly hub: EventHub;
  snapshot(): Snapshot;
  close(): Promise<void>;
}

export function createEngine({ handlers, hub, snapshot, close }: EngineParts): Engine {
  return {
    dispatch<Type extends CommandType>(command: CommandOf<Type>): Promise<ResultOf<Type>> {
      // The table has a handler of just this type under this name; TypeScript cannot follow the pairing.
      const handler = handlers[command.type] as (given: CommandOf<Type>) => Promise<ResultOf<Type>>;
      return handler(command);
    },
    subscribe: (listener) => hub.subscribe(listener),
    snapshot,
    [Symbol.asyncDispose]: close,
  };
}

type Listener = (event: EngineEvent) => void;

export class EventHub {
  readonly #listeners = new Set<Listener>();

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A listener that throws must not end the run: it is logged and the others still hear. */
  publish(event: EngineEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error("listener-failed", { event: event.type, error: messageOf(error) });
      }
    }
  }
}
