/** docs/reference/settings.md: every setting, from its declaration. */

import { settingName, type Setting, type SettingArea } from "@omp/std";
import { code, page, table, type Document } from "./document.ts";
import { wordsFor } from "./schema.ts";

export const settings: Document = {
  file: "settings.md",
  async render() {
    const { settingAreas } = await import("../../packages/engine/src/settings/registry.ts");
    return page("Settings", "the declarations in packages/engine/src/settings/schema", [
      "Settings are written in `config.yml`. A dot in a name is a level: `retry.enabled` is `enabled` under `retry`.",
      ...settingAreas.map(section),
    ]);
  },
};

function section(area: SettingArea): string {
  const rows = Object.entries(area.settings).map(([key, declared]) => row(area, key, declared));
  const title = area.prefix === "" ? "General" : area.prefix;
  return `## ${title}\n\n${table(["Setting", "Type", "Default", "Environment", "Meaning"], rows)}`;
}

function row(area: SettingArea, key: string, declared: Setting): string[] {
  return [
    code(settingName(area, key)),
    wordsFor(declared.schema),
    code(JSON.stringify(declared.default) ?? ""),
    code(declared.env ?? ""),
    `${declared.label}. ${declared.help}`,
  ];
}
