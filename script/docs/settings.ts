/** docs/reference/settings.md: every setting, from its declaration. */

import { settingName, type Setting, type SettingArea } from "@omp/std";
import { code, page, table, type Document } from "./document.ts";
import { wordsFor } from "./schema.ts";

export const settings: Document = {
  file: "settings.md",
  async render() {
    const { allAreas } = await import("../../packages/engine/src/settings/all-areas.ts");
    return page("Settings", "the declarations in packages/engine/src/settings/schema", [
      INTRODUCTION,
      ...[...Map.groupBy(allAreas, ({ prefix }) => prefix)].map(section),
    ]);
  },
};

const INTRODUCTION = [
  "Settings are written in `config.yml` (`omp config path` says where). A dot in a name is a level:",
  "`retry.enabled` is `enabled` under `retry`.",
  "",
  "From weak to strong: the default; `config.yml`; files of a trusted project (`settings.json` in `.gemini`,",
  "`.codex`, `.claude` and `.omp`, then `.omp/config.yml`); files of `--config`; the environment; flags. Maps lie",
  "over each other key by key, everything else replaces. `omp config why <name>` shows who decides.",
  "",
  "Editors complete and check `config.yml` with this first line:",
  "`# yaml-language-server: $schema=<path of config.schema.json>`; `omp config schema` prints that file.",
  "",
  "Settings marked _planned_ are known and kept, but what they are for is not built yet.",
].join("\n");

export const configSchema: Document = {
  file: "config.schema.json",
  async render() {
    const { allAreas } = await import("../../packages/engine/src/settings/all-areas.ts");
    const { configSchema: schema } =
      await import("../../packages/engine/src/settings/json-schema.ts");
    const comment = "Generated from the declarations of settings by `npm run docs`. Do not edit.";
    return `${JSON.stringify({ $comment: comment, ...schema(allAreas) }, null, 2)}\n`;
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
    variable(declared),
    `${declared.label}. ${declared.help}${area.isPlanned ? " (_planned_)" : ""}`,
  ];
}

function variable({ env, fallbackEnv }: Setting): string {
  if (env !== undefined) return code(env);
  return fallbackEnv === undefined ? "" : `${code(fallbackEnv)} where nothing is set`;
}
