/** `/help`: every slash command there is. */

import { done, type SlashCommand } from "../slash-command.ts";

export const help: SlashCommand = {
  name: "help",
  description: "List all commands",
  async run(_args, { dispatch }) {
    const commands = await dispatch({ type: "list_slash_commands" });
    const rows = commands.map(({ name, argumentHint, description, source }) => ({
      call: argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`,
      meaning: source === "built in" ? description : `${description} (${source})`,
    }));
    const width = Math.min(Math.max(...rows.map(({ call }) => call.length)), MAX_WIDTH);
    return done(rows.map(({ call, meaning }) => `${call.padEnd(width)}  ${meaning}`).join("\n"));
  },
};

const MAX_WIDTH = 40;
