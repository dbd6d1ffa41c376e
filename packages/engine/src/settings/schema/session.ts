/** How sessions are opened. */

import { setting, settingArea, Type } from "@omp/std";

export const sessionArea = settingArea("session", {
  resumeInPlace: setting(Type.Boolean(), false, {
    label: "Resume in place",
    help: "Open a session of another project as it is, without asking to fork it",
  }),
});
