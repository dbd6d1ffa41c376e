/** `/branch`: a new session that ends before one of the person's messages. */

import { done, type SlashCommand } from "../slash-command.ts";

const MAX_TEXT = 80;

export const branch: SlashCommand = {
  name: "branch",
  description: "Go on in a new session from before one of your messages; alone, list them",
  argumentHint: "[entry]",
  async run(args, { dispatch, snapshot }) {
    const entryId = args.trim();
    if (entryId === "") {
      const points = await dispatch({ type: "branch_points" });
      return done(points.map((point) => `${point.entryId}  ${shortened(point.text)}`).join("\n"));
    }
    const { cancelled, text } = await dispatch({ type: "branch_session", entryId });
    if (cancelled) return done("Branch cancelled");
    return done(`Branched to ${snapshot().session.file ?? "a session in memory"}\n${text}`);
  },
};

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 3)}...` : line;
}
