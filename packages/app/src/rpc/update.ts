/** An update of an answer that has not left yet, and takes in what follows as long as it can. */

import type { EngineEvent } from "@omp/engine/protocol";
import type { RpcUpdate } from "@omp/rpc-client/wire";

type UpdateEvent = Extract<EngineEvent, { type: "message_update" }>;

export interface Update {
  /** Whether the event could be added. */
  absorb(event: UpdateEvent): boolean;
  line(): string;
}

export function createUpdate({ message, assistantMessageEvent: first }: UpdateEvent): Update {
  if (!("delta" in first)) {
    // What ends a block carries its content: it must not grow any more when it leaves.
    const line = lineOf({ type: "message_update", message, assistantMessageEvent: bare(first) });
    return { absorb: () => false, line: () => line };
  }
  let delta = first.delta;
  return {
    absorb({ assistantMessageEvent: next }) {
      const isSame = next.type === first.type && next.contentIndex === first.contentIndex;
      if (!isSame || !("delta" in next)) return false;
      delta += next.delta;
      return true;
    },
    line: () =>
      lineOf({
        type: "message_update",
        message,
        assistantMessageEvent: { ...bare(first), delta },
      } as RpcUpdate),
  };
}

type Event = UpdateEvent["assistantMessageEvent"];

/** The message would stand in the line twice. */
function bare(event: Event): RpcUpdate["assistantMessageEvent"] {
  const { partial: _partial, ...rest } = event;
  return rest;
}

function lineOf(update: RpcUpdate): string {
  return `${JSON.stringify(update)}\n`;
}
