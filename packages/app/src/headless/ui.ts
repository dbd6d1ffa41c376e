/** The person, in a run where there is none: every question gets its default. */

import type { UiPort } from "@omp/engine/protocol";
import { note } from "./streams.ts";

export const absentUi: UiPort = {
  absentBecause:
    "nobody can be asked in print mode. Tell the user that --yolo or --approval-mode allows it.",
  request: () => Promise.resolve(undefined),
  tell: ({ level, text }) => note(`${level}: ${text}`),
};
