/** Settings of the choice of a model. */

import { setting, settingArea, type Values } from "@omp/std";
import { Type } from "typebox";

export const modelArea = settingArea("", {
  modelRoles: setting(Type.Record(Type.String(), Type.String()), {} as Record<string, string>, {
    label: "Model roles",
    help: "Role name to model, e.g. `default: anthropic/claude-sonnet-4-5`",
  }),
});

export type ModelSettings = Values<typeof modelArea>;
