/** The dispatch table and the event hub. Owns no state of its own. */

import { lazy, log, messageOf } from "@omp/std";
import type { CommandOf, CommandType, Handlers, HandlersOf, ResultOf } from "./protocol/command.ts";
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

/** Handlers of an area that few runs need: its code is loaded with its first command. */
export function lazyHandlers<Area>(
  names: readonly (keyof Area & CommandType)[],
  load: () => Promise<HandlersOf<Area>>,
): HandlersOf<Area> {
  const area = lazy(load);
  // Each command meets the handler of its own name; TypeScript cannot follow the pairing.
  const handlers = names.map((name) => [
    name,
    async (command: never) => (await area())[name](command),
  ]);
  return Object.fromEntries(handlers) as HandlersOf<Area>;
}

type Listener = (event: EngineEvent) => void;

export class EventHub {
  readonly #listeners = new Set<Listener>();
  #held: EngineEvent[] | undefined;

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Keeps events back until the returned function is called, which tells its own one first. */
  hold(): (first?: EngineEvent) => void {
    const held: EngineEvent[] = [];
    this.#held = held;
    return (first) => {
      if (this.#held === held) this.#held = undefined;
      for (const event of first ? [first, ...held] : held) this.publish(event);
    };
  }

  /** A listener that throws must not end the run: it is logged and the others still hear. */
  publish(event: EngineEvent): void {
    if (this.#held) return void this.#held.push(event);
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error("listener-failed", { event: event.type, error: messageOf(error) });
      }
    }
  }
}
