/** Who hears the events of omp. */

import type { RpcEvent } from "./wire/index.ts";

export type EventOf<Type extends RpcEvent["type"]> = Extract<RpcEvent, { readonly type: Type }>;

export interface Subscriptions {
  /** @returns what ends the subscription */
  onEvent(listener: (event: RpcEvent) => void): () => void;
  on<Type extends RpcEvent["type"]>(
    type: Type,
    listener: (event: EventOf<Type>) => void,
  ): () => void;
}

export function createListeners(): Subscriptions & { tell(event: RpcEvent): void } {
  const listeners = new Set<(event: RpcEvent) => void>();
  const onEvent = (listener: (event: RpcEvent) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    onEvent,
    on: (type, listener) =>
      onEvent((event) => {
        // The type is the one asked for; TypeScript cannot follow the pairing.
        if (event.type === type) listener(event as EventOf<typeof type>);
      }),
    tell(event) {
      for (const listener of listeners) listener(event);
    },
  };
}
