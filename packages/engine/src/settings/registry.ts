/** The areas of the rooms that are built. A new setting is one entry in its area; a new area is one line here. */

import type { SettingArea } from "@omp/std";
import { branchSummaryArea } from "./schema/branch-summary.ts";
import { compactionArea } from "./schema/compaction.ts";
import { commandsArea, contextArea, rulesArea, skillsArea } from "./schema/discovery.ts";
import { editArea } from "./schema/edit.ts";
import { imagesArea } from "./schema/images.ts";
import { interactionArea } from "./schema/interaction.ts";
import { contextPromotionArea, modelArea, thinkingBudgetsArea } from "./schema/model.ts";
import { providersArea } from "./schema/providers.ts";
import { fetchArea, lineNumbersArea, readArea, summarizeArea } from "./schema/read.ts";
import { retryArea } from "./schema/retry.ts";
import { samplingArea } from "./schema/sampling.ts";
import { findArea, globArea, grepArea, searchArea } from "./schema/search.ts";
import { sessionArea } from "./schema/session.ts";
import { shellArea } from "./schema/shell.ts";
import { toolsArea } from "./schema/tools.ts";

export const settingAreas: readonly SettingArea[] = [
  modelArea,
  thinkingBudgetsArea,
  contextPromotionArea,
  providersArea,
  samplingArea,
  retryArea,
  interactionArea,
  branchSummaryArea,
  compactionArea,
  sessionArea,
  shellArea,
  toolsArea,
  editArea,
  readArea,
  lineNumbersArea,
  summarizeArea,
  fetchArea,
  findArea,
  globArea,
  searchArea,
  grepArea,
  imagesArea,
  contextArea,
  commandsArea,
  rulesArea,
  skillsArea,
];
