/** `/label`: a name for a point of the session. */

import { UserError } from "@omp/std";
import { done, type SlashCommand } from "../slash-command.ts";

export const label: SlashCommand = {
  name: "label",
  description: "Name the current point, or that of an entry; an entry alone loses its name",
  argumentHint: "[entry] <text>",
  async run(args, { dispatch, snapshot }) {
    const given = args.trim();
    if (given === "") throw new UserError("bad-input", "Usage: /label [entry] <text>");
    const [first = "", ...rest] = given.split(/\s+/);
    const entries = await dispatch({ type: "session_entries" });
    const named = entries.find(({ id }) => id === first);
    const entryId = named?.id ?? snapshot().session.leafId;
    if (entryId === null) throw new UserError("session", "The session has no entry to name yet.");
    const text = named ? rest.join(" ") : given;
    await dispatch({ type: "set_label", entryId, label: text });
    return done(text === "" ? `Label of ${entryId} removed` : `Labelled ${entryId}: ${text}`);
  },
};
