/** Compacts a large conversation that nobody has said anything in for a while. */

import { ignore, type Clock } from "@omp/std";
import type { EventHub } from "../engine.ts";
import type { CompactionSettings } from "../settings/schema/compaction.ts";
import type { CompactionDoor } from "./door.ts";

export interface IdleDeps {
  readonly settings: Pick<CompactionSettings, "idleEnabled" | "idleTimeoutSeconds">;
  readonly hub: Pick<EventHub, "subscribe">;
  readonly clock: Clock;
  readonly door: Pick<CompactionDoor, "idle">;
  isRunning(): boolean;
}

/** @returns what ends it */
export function watchIdle({ settings, hub, clock, door, isRunning }: IdleDeps): () => void {
  if (!settings.idleEnabled) return () => {};
  let callOff = () => {};
  const wait = () => {
    callOff();
    callOff = clock.after(settings.idleTimeoutSeconds * 1000, () => {
      if (!isRunning()) door.idle().catch((error) => ignore(error, "it was told by events"));
    });
  };
  const unsubscribe = hub.subscribe(({ type }) => {
    // What a compaction itself tells is no activity: it would follow itself for ever.
    if (type === "agent_start") callOff();
    else if (type === "agent_end" || type === "session_switch" || type === "queue_change") wait();
  });
  return () => {
    callOff();
    unsubscribe();
  };
}
