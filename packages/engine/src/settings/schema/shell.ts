/** Settings of the shell that runs commands. */

import { setting, settingArea, Type } from "@omp/std";

export const shellArea = settingArea("", {
  shellPath: setting(Type.String(), "", {
    label: "Shell",
    help: "Program that runs commands of the bash tool; empty finds bash, then sh",
  }),
});
