/** Settings of single providers. */

import { setting, settingArea, Type, type Values } from "@omp/std";

export const providersArea = settingArea("providers", {
  openrouterVariant: setting(Type.String(), "", {
    label: "Variant of OpenRouter's models",
    help: "Suffix for their ids that have none: `nitro`, `floor`, `online`, `exacto`",
  }),
  kimiApiFormat: setting(Type.Enum(["openai", "anthropic"]), "anthropic", {
    label: "Protocol of Kimi",
    help: "Which of its two wires Kimi Code is called over",
  }),
});

export type ProviderSettings = Values<typeof providersArea>;
