/** Which events of the engine the client hears, and in which form. */

import type { EngineEvent, UiPort } from "@omp/engine/protocol";
import type { Outbox } from "./outbox.ts";

/** All others are for front ends inside omp: the snapshot and the answers have what they tell. */
export function forward(event: EngineEvent, outbox: Outbox, ui: UiPort): void {
  switch (event.type) {
    case "message_update":
      return outbox.update(event);
    case "notice":
      return ui.tell(event);
    case "session_title":
      return ui.show?.({ kind: "title", title: event.title });
    case "agent_start":
    case "agent_end":
    case "turn_start":
    case "turn_end":
    case "message_start":
    case "message_end":
    case "tool_execution_start":
    case "tool_execution_update":
    case "tool_execution_end":
    case "auto_retry_start":
    case "auto_retry_end":
    case "auto_compaction_start":
    case "auto_compaction_end":
      return outbox.send(event);
    default:
  }
}
