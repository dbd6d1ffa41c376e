/** `/fork`: a copy of the whole session becomes the active one. */

import { UserError } from "@omp/std";
import { done, type SlashCommand } from "../slash-command.ts";

export const fork: SlashCommand = {
  name: "fork",
  description: "Go on in a copy of this session",
  async run(_args, { dispatch, snapshot }) {
    const { isRunning, session } = snapshot();
    if (isRunning) throw new UserError("busy", "Wait for the answer or abort it before /fork.");
    if (session.file === undefined) throw failed();
    const { cancelled } = await dispatch({ type: "fork_session" });
    if (cancelled) throw failed();
    return done(`Forked to ${snapshot().session.file}`);
  },
};

function failed(): UserError {
  return new UserError("session", "Fork failed (session not persisted or cancelled)");
}
