/** Settings of the choice of a model. */

import { setting, settingArea, stringMap, type Values } from "@omp/std";

export const modelArea = settingArea("", {
  modelRoles: setting(
    stringMap(),
    {},
    {
      label: "Model roles",
      help: "Role name to model, e.g. `default: anthropic/claude-sonnet-4-5`",
    },
  ),
});

export type ModelSettings = Values<typeof modelArea>;
