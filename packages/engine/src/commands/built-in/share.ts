/** `/share`: the session as a page that others can open. */

import { done, type SlashCommand } from "../slash-command.ts";

export const share: SlashCommand = {
  name: "share",
  description: "Upload the session as a secret gist, or by your own share script",
  async run(_args, { dispatch }) {
    const { message, url, previewUrl } = await dispatch({ type: "share_session" });
    const lines = [message, url, previewUrl].filter((line) => line !== undefined);
    return done([...new Set(lines)].join("\n"));
  },
};
