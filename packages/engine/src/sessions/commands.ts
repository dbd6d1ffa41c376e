/** The names of the session commands, apart from what runs them: that is loaded with the first one. */

import type { SessionCommands } from "../protocol/commands/session.ts";

/** A record, so that a missing name does not compile. */
const NAMES: Readonly<Record<keyof SessionCommands, true>> = {
  new_session: true,
  switch_session: true,
  fork_session: true,
  branch_session: true,
  move_leaf: true,
  abort_summary: true,
  set_label: true,
  rename_session: true,
  move_session: true,
  session_tree: true,
  branch_points: true,
  session_entries: true,
  session_stats: true,
  list_sessions: true,
};

export const sessionCommands = Object.keys(NAMES) as readonly (keyof SessionCommands)[];
