/** Wire commands about the session: which one is open, where in it we are, what it is called, a copy of it. */

import type { Fields } from "../fields.ts";
import { aside, done, inTurn, type WireTable } from "./command.ts";

type Names =
  | "new_session"
  | "switch_session"
  | "fork_session"
  | "branch"
  | "get_branch_messages"
  | "move_leaf"
  | "get_tree"
  | "get_entries"
  | "set_label"
  | "set_session_name"
  | "get_session_stats"
  | "export_html"
  | "export_markdown";

export const sessionCommands: WireTable<Names> = {
  new_session: inTurn((fields, { engine }) => {
    const parentSession = fields.optionalText("parentSession");
    const parent = parentSession === undefined ? {} : { parentSession };
    return () => engine.dispatch({ type: "new_session", ...parent });
  }),
  switch_session: inTurn((fields, { engine }) => {
    const path = fields.text("sessionPath");
    return () => engine.dispatch({ type: "switch_session", path });
  }),
  fork_session: inTurn(
    (_, { engine }) =>
      () =>
        engine.dispatch({ type: "fork_session" }),
  ),
  branch: inTurn((fields, { engine }) => {
    const entryId = fields.text("entryId");
    return () => engine.dispatch({ type: "branch_session", entryId });
  }),
  get_branch_messages: inTurn((_, { engine }) => async () => ({
    messages: await engine.dispatch({ type: "branch_points" }),
  })),
  move_leaf: aside((fields, { engine }) => {
    const entryId = fields.text("entryId");
    const summarizes = fields.optionalFlag("summarizes") ?? false;
    const instructions = fields.optionalText("instructions");
    const asked = instructions === undefined ? { summarizes } : { summarizes, instructions };
    return () => engine.dispatch({ type: "move_leaf", entryId, ...asked });
  }),
  get_tree: inTurn(
    (_, { engine }) =>
      () =>
        engine.dispatch({ type: "session_tree" }),
  ),
  get_entries: inTurn((_, { engine }) => async () => ({
    entries: await engine.dispatch({ type: "session_entries" }),
  })),
  set_label: inTurn((fields, { engine }) => {
    const [entryId, label] = [fields.text("entryId"), fields.text("label")];
    return () => done(engine.dispatch({ type: "set_label", entryId, label }));
  }),
  set_session_name: inTurn((fields, { engine }) => {
    const title = fields.text("name");
    return () => done(engine.dispatch({ type: "rename_session", title }));
  }),
  get_session_stats: inTurn(
    (_, { engine }) =>
      () =>
        engine.dispatch({ type: "session_stats" }),
  ),
  export_html: inTurn((fields, { engine }) => {
    const path = outputPath(fields);
    return () => engine.dispatch({ type: "export_html", ...path });
  }),
  export_markdown: inTurn((fields, { engine }) => {
    const path = outputPath(fields);
    return () => engine.dispatch({ type: "export_markdown", ...path });
  }),
};

function outputPath(fields: Fields): { readonly path?: string } {
  const path = fields.optionalText("outputPath");
  return path === undefined ? {} : { path };
}
