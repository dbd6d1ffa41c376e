/** The names of this room's commands, apart from what runs them: that is loaded with the first one. */

import type { ExportCommands } from "../protocol/commands/export.ts";

/** A record, so that a missing name does not compile. */
const NAMES: Readonly<Record<keyof ExportCommands, true>> = {
  export_html: true,
  export_markdown: true,
  export_json: true,
  dump_text: true,
  share_session: true,
  abort_share: true,
};

export const exportCommands = Object.keys(NAMES) as readonly (keyof ExportCommands)[];
