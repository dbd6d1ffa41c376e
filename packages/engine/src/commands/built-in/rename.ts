/** `/rename`: the session's title. */

import { UserError } from "@omp/std";
import { done, type SlashCommand } from "../slash-command.ts";

export const rename: SlashCommand = {
  name: "rename",
  description: "Give the session a title",
  argumentHint: "<title>",
  async run(args, { dispatch }) {
    const title = args.trim();
    if (title === "") throw new UserError("bad-input", "Usage: /rename <title>");
    await dispatch({ type: "rename_session", title });
    return done(`Session renamed to: ${title}`);
  },
};
