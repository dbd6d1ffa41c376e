/** `/pin` and `/unpin`: texts that no compaction touches. */

import { UserError } from "@omp/std";
import { done, type CommandPort, type SlashCommand } from "../slash-command.ts";

export const pin: SlashCommand = {
  name: "pin",
  description: "Keep a text, or that of an entry, word for word; alone, show what is pinned",
  argumentHint: "[text | entry]",
  async run(args, port) {
    const given = args.trim();
    if (given === "") return done(await pinned(port));
    const entries = await port.dispatch({ type: "session_entries" });
    const isEntry = entries.some(({ id }) => id === given);
    const wish = isEntry ? { entryId: given } : { text: given };
    const { entryId } = await port.dispatch({ type: "pin", ...wish });
    return done(`Pinned as ${entryId}`);
  },
};

export const unpin: SlashCommand = {
  name: "unpin",
  description: "Let compactions summarize a pinned text again",
  argumentHint: "<entry>",
  async run(args, { dispatch }) {
    const entryId = args.trim();
    if (entryId === "") throw new UserError("bad-input", "Usage: /unpin <entry>");
    await dispatch({ type: "unpin", entryId });
    return done(`Unpinned ${entryId}`);
  },
};

const MAX_LINE = 100;

async function pinned({ dispatch }: CommandPort): Promise<string> {
  const pins = await dispatch({ type: "list_pins" });
  const lines = pins.map(({ entryId, text }) => {
    const line = text.replace(/\s+/g, " ").trim();
    return `${entryId}  ${line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}...` : line}`;
  });
  return lines.join("\n") || "Nothing is pinned.";
}
