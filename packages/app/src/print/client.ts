/** What a front end without a screen does with the engine. Text and JSON are two of them. */

import type { EngineEvent, PromptResult, Snapshot } from "@omp/engine/protocol";

export interface PrintClient {
  start(snapshot: Snapshot): void;
  event(event: EngineEvent): void;
  answer(result: PromptResult): void;
}
