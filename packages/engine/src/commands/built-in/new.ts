/** `/new`: an empty session becomes the active one. */

import { done, type SlashCommand } from "../slash-command.ts";

export const newSession: SlashCommand = {
  name: "new",
  description: "Start a new session",
  async run(_args, { dispatch }) {
    const { cancelled } = await dispatch({ type: "new_session" });
    return done(cancelled ? "New session cancelled" : "New session started");
  },
};
