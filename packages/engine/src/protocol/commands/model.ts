/** Commands about the model and its thinking. */

import type { Model, ThinkingLevel } from "@omp/ai/schema";
import type { Asks } from "../asks.ts";

export interface ModelCommands {
  /** @throws UserError `Model not found: provider/id` */
  set_model: Asks<{ readonly provider: string; readonly modelId: string }, Model>;
  /** The next model of the scope; undefined where there is no other. */
  cycle_model: Asks<
    { readonly direction?: "forward" | "backward" },
    | { readonly model: Model; readonly thinkingLevel: ThinkingLevel; readonly isScoped: boolean }
    | undefined
  >;
  /** The models there is a key for. */
  list_models: Asks<object, readonly Model[]>;
  /** The level that is in force afterwards, made to fit the model. */
  set_thinking_level: Asks<{ readonly level: ThinkingLevel }, ThinkingLevel>;
  /** Undefined where the model does not think. */
  cycle_thinking_level: Asks<object, ThinkingLevel | undefined>;
}
