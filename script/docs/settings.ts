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
      ...[...Map.groupBy(settingAreas, ({ prefix }) => prefix)].map(section),
    ]);
  },
};

/** Several areas may share a prefix, above all the empty one. */
function section([prefix, areas]: [string, readonly SettingArea[]]): string {
  const rows = areas.flatMap((area) =>
    Object.entries(area.settings).map(([key, declared]) => row(area, key, declared)),
  );
  const head = ["Setting", "Type", "Default", "Environment", "Meaning"];
  return `## ${prefix === "" ? "General" : prefix}\n\n${table(head, rows)}`;
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
