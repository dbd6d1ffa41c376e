/** `/usage`: tokens and cost of the session. */

import { done, type SlashCommand } from "../slash-command.ts";

export const usage: SlashCommand = {
  name: "usage",
  description: "Show the tokens and the cost of this session",
  async run(_args, { dispatch }) {
    const { tokens, cost } = await dispatch({ type: "session_stats" });
    const rows: readonly (readonly [string, number])[] = [
      ["Input", tokens.input],
      ["Output", tokens.output],
      ["Cache read", tokens.cacheRead],
      ["Cache write", tokens.cacheWrite],
      ["Total", tokens.total],
    ];
    const lines = rows.map(([name, count]) => `${`${name}:`.padEnd(13)}${count} tokens`);
    return done([...lines, `${"Cost:".padEnd(13)}$${cost.toFixed(4)}`].join("\n"));
  },
};
