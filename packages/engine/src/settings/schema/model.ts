/** Settings of the choice of a model. */

import { setting, settingArea, stringMap, Type, type Values } from "@omp/std";
import { scopedList } from "./scoped-list.ts";

export const modelArea = settingArea("", {
  modelRoles: setting(
    stringMap(),
    {},
    {
      label: "Model roles",
      help: "Role name to model, e.g. `default: anthropic/claude-sonnet-4-5`",
    },
  ),
  enabledModels: setting(scopedList("models"), [], {
    label: "Enabled models",
    help: "Models to choose from: patterns, or `{ path, models }` for the folders below a path",
  }),
  disabledProviders: setting(scopedList("providers"), [], {
    label: "Disabled providers",
    help: "Ids of providers not to use, or `{ path, providers }` for the folders below a path",
  }),
  modelProviderOrder: setting(Type.Array(Type.String()), [], {
    label: "Order of providers",
    help: "Which provider is asked first for a model that several have",
  }),
});

export type ModelSettings = Values<typeof modelArea>;
