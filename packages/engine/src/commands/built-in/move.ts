/** `/move`: the session goes on in another working directory. */

import { UserError } from "@omp/std";
import { splitArguments } from "../arguments.ts";
import { done, type SlashCommand } from "../slash-command.ts";

export const move: SlashCommand = {
  name: "move",
  description: "Take the session to another folder",
  argumentHint: "<folder>",
  async run(args, { dispatch, snapshot }) {
    const cwd = splitArguments(args)[0];
    if (cwd === undefined) throw new UserError("bad-input", "Usage: /move <folder>");
    await dispatch({ type: "move_session", cwd });
    return done(`Working in ${snapshot().cwd}`);
  },
};
