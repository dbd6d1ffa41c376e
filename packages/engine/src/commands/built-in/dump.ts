/** `/dump`: the whole conversation as text. */

import { done, type SlashCommand } from "../slash-command.ts";

export const dump: SlashCommand = {
  name: "dump",
  description: "The whole conversation as text",
  async run(_args, { dispatch }) {
    return done((await dispatch({ type: "dump_text" })) ?? "No messages to dump yet.");
  },
};
