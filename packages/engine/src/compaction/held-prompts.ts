/** What is said while a compaction is in progress waits for its end, and is then said in the same order. */

import type { CommandOf } from "../protocol/command.ts";
import type { PromptResult } from "../protocol/commands/run.ts";
import type { CompactionDoor } from "./door.ts";

type Prompt = CommandOf<"prompt">;
type Deliver = (prompt: Prompt) => Promise<PromptResult>;

export interface HeldPromptsDeps {
  readonly door: Pick<
    CompactionDoor,
    "isCompacting" | "ended" | "isDue" | "beforePrompt" | "rested"
  >;
  /** Expands slash commands; what is for the model goes to `deliver`. */
  expand(prompt: Prompt, deliver: Deliver): Promise<PromptResult>;
  readonly conversation: {
    readonly isRunning: boolean;
    prompt(prompt: Prompt): Promise<PromptResult>;
  };
}

const ABORTED: PromptResult = { stopReason: "aborted", text: "", thinking: "" };

export function createHeldPrompts(deps: HeldPromptsDeps): Deliver {
  const { door, conversation } = deps;
  let before: Promise<unknown> = Promise.resolve();

  const deliver: Deliver = async (prompt) => {
    if (!conversation.isRunning && door.isDue() && !(await door.beforePrompt())) return ABORTED;
    const result = await conversation.prompt(prompt);
    if (!result.isQueued) door.rested();
    return result;
  };

  const held: Deliver = async (prompt) => {
    const earlier = before;
    const { promise: isIn, resolve: letNext } = Promise.withResolvers<void>();
    before = isIn;
    await Promise.all([door.ended, earlier]);
    try {
      return await deps.expand(prompt, (expanded) => {
        // The one before it may be under way by now: what was held does not fail for that.
        const queue = expanded.streamingBehavior ?? "followUp";
        const said = conversation.isRunning ? { ...expanded, streamingBehavior: queue } : expanded;
        const result = deliver(said);
        letNext();
        return result;
      });
    } finally {
      letNext();
    }
  };

  return (prompt) => (door.isCompacting ? held(prompt) : deps.expand(prompt, deliver));
}
