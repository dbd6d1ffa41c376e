/** Settings of reading: how much of a file is shown, and whether URLs are read. */

import { settingArea } from "@omp/std";
import { count, texts, toggle } from "./kinds.ts";

export const lineNumbersArea = settingArea("", {
  readLineNumbers: toggle(
    false,
    "Line numbers",
    "Show line numbers when a file is read, where edits do not need them anyway",
  ),
});

export const readArea = settingArea("read", {
  defaultLimit: count(300, "Lines to read", "Lines of a file that a read without a range shows", {
    minimum: 1,
  }),
});

export const summarizeArea = settingArea("read.summarize", {
  enabled: toggle(true, "Structure first", "Show long files by their structure"),
  prose: toggle(false, "Structure of prose", "Shorten long texts the same way"),
  minTotalLines: count(100, "Shown whole", "Files with fewer lines are shown as they are"),
});

export const fetchArea = settingArea("fetch", {
  enabled: toggle(true, "Web pages", "Let the read tool fetch URLs"),
  privateHosts: texts(
    [],
    "Private hosts",
    "Hosts that may be fetched although they are not on the open network, as in `localhost:3000`; `*` is all of them",
  ),
});
