/** Every migration, in the order they are made. */

import { askTimeout } from "./ask-timeout.ts";
import { editMode } from "./edit-mode.ts";
import { flatTheme } from "./flat-theme.ts";
import { isolationMode, isolationSwitch } from "./isolation.ts";
import {
  hindsightBank,
  hindsightBankPrefix,
  hindsightScope,
  hindsightScopeName,
  memoriesSwitch,
} from "./memory.ts";
import type { Migration } from "./migration.ts";
import {
  leftPlanMode,
  planModeOptions,
  planModeSwitch,
  rightPlanMode,
} from "./plan-mode-segment.ts";
import { queueMode } from "./queue-mode.ts";
import { simpleTasks } from "./removed.ts";

export const migrations: readonly Migration[] = [
  queueMode,
  askTimeout,
  flatTheme,
  isolationSwitch,
  isolationMode,
  editMode,
  leftPlanMode,
  rightPlanMode,
  planModeOptions,
  planModeSwitch,
  memoriesSwitch,
  hindsightScope,
  hindsightScopeName,
  hindsightBank,
  hindsightBankPrefix,
  simpleTasks,
];
