/** `/session`: the facts of the active session. */

import { done, type SlashCommand } from "../slash-command.ts";

export const session: SlashCommand = {
  name: "session",
  description: "Show the session's file, title, model and size",
  async run(_args, { dispatch, snapshot }) {
    const stats = await dispatch({ type: "session_stats" });
    const { cwd, session: active, model, thinkingLevel } = snapshot();
    const rows = [
      ["Session", active.header.id],
      ["Title", active.header.title ?? "(none)"],
      ["File", active.file ?? "in memory"],
      ["Folder", cwd],
      ["Model", `${model.provider}/${model.id}, thinking ${thinkingLevel}`],
      ["Messages", `${stats.userMessages} of yours, ${stats.assistantMessages} answers`],
      ["Tool calls", String(stats.toolCalls)],
    ];
    return done(rows.map(([name, value]) => `${`${name}:`.padEnd(12)}${value}`).join("\n"));
  },
};
