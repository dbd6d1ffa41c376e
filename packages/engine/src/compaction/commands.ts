/** The names of the commands about compaction, apart from what runs them: that is loaded with the first one. */

import type { CompactionCommands } from "../protocol/commands/compaction.ts";

/** A record, so that a missing name does not compile. */
const NAMES: Readonly<Record<keyof CompactionCommands, true>> = {
  compact: true,
  abort_compaction: true,
  set_auto_compaction: true,
  handoff: true,
  revert_compaction: true,
  pin: true,
  unpin: true,
  list_pins: true,
  compaction_report: true,
};

export const compactionCommands = Object.keys(NAMES) as readonly (keyof CompactionCommands)[];
