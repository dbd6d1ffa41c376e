/** The JSON Schema of config.yml, for editors that complete and check it. */

import { settingName, type Setting, type SettingArea } from "@omp/std";

interface Tree {
  readonly type: "object";
  readonly properties: Record<string, unknown>;
}

/** Names may be written as one dotted key, so no key is forbidden. */
export function configSchema(areas: readonly SettingArea[]): object {
  const root: Tree = { type: "object", properties: {} };
  for (const area of areas) {
    for (const [key, declared] of Object.entries(area.settings)) {
      const path = settingName(area, key).split(".");
      const parent = path.slice(0, -1).reduce(childOf, root);
      parent.properties[path.at(-1)!] = described(declared);
    }
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "config.yml of omp",
    ...root,
  };
}

function childOf({ properties }: Tree, key: string): Tree {
  properties[key] ??= { type: "object", properties: {} };
  return properties[key] as Tree;
}

function described({ schema, default: fallback, label, help }: Setting): object {
  return { ...schema, title: label, description: help, default: fallback };
}
