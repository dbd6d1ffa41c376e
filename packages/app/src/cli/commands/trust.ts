/** `omp trust`: which folders and which of their programs omp may obey. */

import type { CliCommand } from "../command.ts";

export const trust: CliCommand = {
  name: "trust",
  summary: "Show, allow and revoke what projects may make omp do",
  usage: "omp trust [list | allow [folder] | revoke [folder|item]] [--items] [--all] [--json]",
  forms: [
    ["list", "This folder, and all in it that wants to run or to redirect omp"],
    ["allow [folder]", "Trust a folder and those in it; --items also allows what it wants to run"],
    ["revoke [folder|item]", "Take that back"],
  ],
  flags: [
    { name: "items", help: "allow: also what the project wants to run, as it is now" },
    { name: "all", help: "list: every decision there is" },
    { name: "json", help: "Print one JSON document" },
  ],
  maxWords: 2,
  load: async () => (await import("../../trust/run.ts")).runTrust,
};
