/** Every area of settings: those that a start needs, and the others. Too much to load at every start. */

import type { SettingArea } from "@omp/std";
import { settingAreas } from "./registry.ts";
import { extendingAreas } from "./schema/extending.ts";
import { fileAreas } from "./schema/files.ts";
import { memoryAreas } from "./schema/memory.ts";
import { requestAreas } from "./schema/requests.ts";
import { runningAreas } from "./schema/running.ts";
import { screenAreas } from "./schema/screen.ts";
import { webAreas } from "./schema/web.ts";

export const allAreas: readonly SettingArea[] = [
  ...settingAreas,
  ...requestAreas,
  ...runningAreas,
  ...fileAreas,
  ...memoryAreas,
  ...extendingAreas,
  ...webAreas,
  ...screenAreas,
];
