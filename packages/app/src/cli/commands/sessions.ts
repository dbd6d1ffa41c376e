/** `omp sessions`: what is stored, found and tidied up. */

import type { CliCommand } from "../command.ts";

export const sessions: CliCommand = {
  name: "sessions",
  summary: "List, search, check and tidy up sessions",
  usage:
    "omp sessions [list | search <words> | show <id> | fsck [id] | gc | delete <id...>] [--all] [--json]",
  forms: [
    ["list", "Sessions of this folder, newest first"],
    ["search <words>", "Entries that have all the words"],
    ["show <id|path>", "One session: facts and what was said"],
    ["fsck [id|path ...]", "Look for damaged lines; --repair mends them and keeps the original"],
    ["gc", "What nobody needs any more; --yes removes it"],
    ["delete <id|path ...>", "Delete sessions and their artifacts; asks unless --yes"],
  ],
  flags: [
    { name: "all", help: "Sessions of all projects" },
    { name: "json", help: "Print one JSON document" },
    { name: "repair", help: "fsck: mend what can be mended" },
    { name: "yes", help: "gc, delete: do it, and do not ask" },
  ],
  maxWords: Infinity,
  load: async () => (await import("../../sessions/run.ts")).runSessions,
};
