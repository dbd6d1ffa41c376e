/** `/thinking`: how hard the model thinks. */

import { THINKING_LEVELS } from "@omp/ai/schema";
import { UserError } from "@omp/std";
import { done, type SlashCommand } from "../slash-command.ts";

export const thinking: SlashCommand = {
  name: "thinking",
  description: "Set how hard the model thinks; alone, show it",
  argumentHint: `[${THINKING_LEVELS.join("|")}]`,
  async run(args, { dispatch, snapshot }) {
    const wanted = args.trim();
    if (wanted === "") return done(`Thinking: ${snapshot().thinkingLevel}`);
    const level = THINKING_LEVELS.find((known) => known === wanted);
    if (!level) {
      const known = THINKING_LEVELS.join(", ");
      throw new UserError("bad-input", `Thinking must be one of ${known}, not "${wanted}"`);
    }
    return done(`Thinking: ${await dispatch({ type: "set_thinking_level", level })}`);
  },
};
