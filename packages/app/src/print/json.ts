/** JSON mode: the session header, then every event, one JSON object per line. */

import type { EngineEvent } from "@omp/engine/protocol";
import type { PrintClient } from "./client.ts";
import type { Output } from "../headless/output.ts";

export function createJsonClient(output: Output): PrintClient {
  const line = (value: unknown) => output.write(`${JSON.stringify(value)}\n`);
  return {
    start: (snapshot) => line(snapshot.session.header),
    event: (event) => line(wireEvent(event)),
    // What a slash command has to say is no answer of the model: no event has told it.
    answer({ isCommand, text }) {
      if (isCommand && text !== "") line({ type: "notice", level: "info", text });
    },
  };
}

/** Deltas travel alone: with the whole message in each, an answer would cost its square. */
function wireEvent(event: EngineEvent): unknown {
  if (event.type !== "message_update") return event;
  const { partial: _partial, ...assistantMessageEvent } = event.assistantMessageEvent;
  return { type: event.type, assistantMessageEvent };
}
