/** Settings of single providers. */

import { setting, settingArea, Type, type Values } from "@omp/std";

const OPENROUTER_VARIANTS = ["default", "nitro", "floor", "online", "exacto"];

export const providersArea = settingArea("providers", {
  openrouterVariant: setting(Type.Unsafe<string>(Type.Enum(OPENROUTER_VARIANTS)), "default", {
    label: "Variant of OpenRouter's models",
    help: "Suffix for their ids that have none; `default` adds nothing",
  }),
  kimiApiFormat: setting(Type.Enum(["openai", "anthropic"]), "anthropic", {
    label: "Protocol of Kimi",
    help: "Which of its two wires Kimi Code is called over",
  }),
});

export type ProviderSettings = Values<typeof providersArea>;
