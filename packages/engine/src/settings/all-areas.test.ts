/** Every declaration, against itself and against the list of settings where that is at hand. */

import { settingName } from "@omp/std";
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allAreas } from "./all-areas.ts";
import { fits } from "./fits.ts";

const declared = allAreas.flatMap((area) =>
  Object.entries(area.settings).map(([key, setting]) => {
    return { name: settingName(area, key), setting, isPlanned: area.isPlanned ?? false };
  }),
);
const byName = new Map(declared.map((one) => [one.name, one]));

test("each setting is declared once, with a default of its own kind and words for a person", () => {
  expect(declared.map(({ name }) => name).toSorted()).toEqual([...byName.keys()].toSorted());
  for (const { name, setting } of declared) {
    expect([name, fits(setting.schema, setting.default)]).toEqual([name, true]);
    expect([name, setting.label !== "" && setting.help !== ""]).toEqual([name, true]);
    expect([name, /[.!]$/.test(setting.help)]).toEqual([name, false]);
  }
});

test("no setting is also the beginning of another's name", () => {
  const inside = declared.filter(({ name }) =>
    declared.some((other) => other.name.startsWith(`${name}.`)),
  );
  expect(inside.map(({ name }) => name)).toEqual([]);
});

/** Where the list leaves the default open, gives two, or was decided against. */
const DECIDED: Readonly<Record<string, unknown>> = {
  "contextPromotion.enabled": true,
  "bash.autoBackground.enabled": true,
  "async.enabled": true,
  "edit.hashlineAutoDropPureInsertDuplicates": false,
  "astGrep.enabled": false,
  "github.enabled": true,
  includeWorkspaceTree: true,
  "providers.kimiApiFormat": "anthropic",
  "dev.autoqa": false,
  "compaction.methodOrder": [],
  "codexResets.autoRedeem": "unset",
  "bashInterceptor.patterns": [],
};

interface Row {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly default: string;
}

const list = join(import.meta.dir, "../../../../../shared/spec/settings-list.md");

/** One setting per row, levels M and S; rows that speak of several, or of what is no more, are not read. */
function rowsOf(text: string): readonly Row[] {
  const row = /^\| (SET-\d+) \| `([^`]+)`: (\w+)[^,]*, default (.*?) — .*\| ([MS])[^|]*\|$/gm;
  return [...text.matchAll(row)]
    .filter(([, , , type]) => type !== "mixed")
    .flatMap(([, id, names, type, fallback]) =>
      names!
        .split(" / ")
        .filter((name) => !/[,*]/.test(name))
        .map((name) => ({ id: id!, name, type: type!, default: fallback! })),
    );
}

describe.skipIf(!existsSync(list))("the list of settings", () => {
  const rows = existsSync(list) ? rowsOf(readFileSync(list, "utf8")) : [];

  test("every row of levels M and S is declared", () => {
    expect(rows.length).toBeGreaterThan(290);
    expect(
      rows.filter(({ name }) => !byName.has(name)).map(({ id, name }) => `${id} ${name}`),
    ).toEqual([]);
  });

  test("type and default are those of the list", () => {
    const found = rows.map(({ id, name, type }) => [id, name, type, kindOf(name)]);
    expect(found.filter(([, , wanted, own]) => wanted !== own)).toEqual([]);
    const defaults = rows.map((row) => [
      row.id,
      row.name,
      wantedDefault(row),
      byName.get(row.name)?.setting.default,
    ]);
    expect(defaults.filter(([, , wanted, own]) => !Bun.deepEquals(wanted, own))).toEqual([]);
  });
});

function kindOf(name: string): string | undefined {
  const { type, enum: choices } = (byName.get(name)?.setting.schema ?? {}) as {
    type?: string;
    enum?: unknown;
  };
  if (choices) return "enum";
  if (type === "integer") return "number";
  return type === "object" ? "record" : type;
}

function wantedDefault({ name, type, default: text }: Row): unknown {
  if (Object.hasOwn(DECIDED, name)) return DECIDED[name];
  const word = text
    .replace(/\s*\(.*$/, "")
    .replace(/ = .*$/, "")
    .trim();
  if (word === "unset") return "";
  switch (type) {
    case "boolean":
      return word === "true";
    case "number":
      return Number(word);
    case "array":
    case "record":
      return Bun.YAML.parse(word);
    default:
      return word === '""' ? "" : word;
  }
}
