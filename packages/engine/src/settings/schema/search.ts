/** Settings of finding and searching. The later names of the tools count as well: both must be on. */

import { settingArea } from "@omp/std";
import { count, toggle } from "./kinds.ts";

export const findArea = settingArea("find", {
  enabled: toggle(true, "Path search", "Offer the find tool"),
});

export const globArea = settingArea("glob", {
  enabled: toggle(true, "Path search", "Later name of `find.enabled`; both must be on"),
});

export const searchArea = settingArea("search", {
  enabled: toggle(true, "Content search", "Offer the search tool"),
});

export const grepArea = settingArea("grep", {
  enabled: toggle(true, "Content search", "Later name of `search.enabled`; both must be on"),
  contextBefore: count(1, "Lines before", "Lines shown before a match"),
  contextAfter: count(3, "Lines after", "Lines shown after a match"),
});
