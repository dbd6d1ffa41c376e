/** Old settings: every fixture gives today's setting, from every kind of file, and the file stays as it is. */

import { workspace } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { allAreas } from "../all-areas.ts";
import { openSettingsEditor } from "../editor.ts";
import { projectFiles, readProjectLayers } from "../project-layers.ts";
import { migrations } from "./registry.ts";

/** What it shows, the old text, today's settings. */
const old: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["queueMode", "queueMode: all\n", { steeringMode: "all" }],
  ["ask.timeout in milliseconds", "ask: { timeout: 30000 }\n", { "ask.timeout": 30 }],
  ["ask.timeout in seconds stays", "ask.timeout: 60\n", { "ask.timeout": 60 }],
  ["a light theme", "theme: light\n", { "theme.light": "light", "theme.dark": "titanium" }],
  ["a dark theme", "theme: dark\n", { "theme.dark": "dark", "theme.light": "light" }],
  [
    "the switch of isolation",
    "task: { isolation: { enabled: true } }\n",
    { "task.isolation.mode": "worktree" },
  ],
  [
    "an old mode of isolation",
    "task.isolation.mode: fuse-overlayfs\n",
    { "task.isolation.mode": "fuse-overlay" },
  ],
  ["a removed edit mode", "edit: { mode: vim }\n", { "edit.mode": "hashline" }],
  [
    "a part of the status line",
    "statusLine: { leftSegments: [plan_mode, git] }\n",
    { "statusLine.leftSegments": ["mode", "git"] },
  ],
  [
    "its options",
    "statusLine: { segmentOptions: { plan_mode: { a: 1 } } }\n",
    { "statusLine.segmentOptions": { mode: { a: 1 } } },
  ],
  ["the switch of the memory", "memories: { enabled: true }\n", { "memory.backend": "local" }],
  [
    "an explicit back end stays",
    "memories: { enabled: true }\nmemory: { backend: off }\n",
    { "memory.backend": "off" },
  ],
  ["an old scope", "hindsight: { scoping: project }\n", { "hindsight.scoping": "per-project" }],
  ["an old name", "hindsight: { bankName: b }\n", { "hindsight.bankId": "b" }],
  ["an old name of a setting", "hindsight: { scope: user }\n", { "hindsight.scoping": "global" }],
  ["an old prefix", "hindsight: { bankNamePrefix: p }\n", { "hindsight.bankIdPrefix": "p" }],
  [
    "a part on the right",
    "statusLine: { rightSegments: [plan_mode] }\n",
    { "statusLine.rightSegments": ["mode"] },
  ],
  ["what is no more", "task: { simple: true }\n", {}],
  [
    "both names: today's counts",
    "queueMode: all\nsteeringMode: one-at-a-time\n",
    { steeringMode: "one-at-a-time" },
  ],
];

describe("old settings", () => {
  test.each(old)("CFG-18 CFG-19 CFG-21 CFG-22 SET-R7 MEM-03 %s", async (_title, text, wanted) => {
    for (const file of ["config.yml", ".omp/config.yml", "over.yml"]) {
      await using place = await workspace({ files: { [file]: text } });
      const project = await readProjectLayers(projectFiles(place.path), async () => () => true);
      const { row, problems } = await openSettingsEditor({
        areas: allAreas,
        loadAll: async () => allAreas,
        configFile: join(place.path, "config.yml"),
        projectLayers: project.layers,
        overlays: file === "over.yml" ? [join(place.path, file)] : [],
        environment: {},
        flags: {},
      });
      const names = Object.keys(wanted);
      expect(Object.fromEntries(names.map((name) => [name, row(name).value]))).toEqual(wanted);
      expect(problems).toEqual([]);
      expect(await place.read(file)).toBe(text);
    }
  });
});

test("why names the line of the old key", async () => {
  await using place = await workspace({ files: { "config.yml": "# mine\nqueueMode: all\n" } });
  const configFile = join(place.path, "config.yml");
  const { why } = await openSettingsEditor({
    areas: allAreas,
    configFile,
    environment: {},
    flags: {},
  });
  expect(why("steeringMode").sources).toMatchObject([
    { place: `${configFile}:2`, standing: "wins" },
  ]);
});

test("every migration has a fixture", () => {
  const texts = old.map(([, text]) => text).join("");
  const silent = migrations.filter(({ from }) => !texts.includes(from.split(".").at(-1)!));
  expect(silent.map(({ from }) => from)).toEqual([]);
});

test("a reset takes the old key out", async () => {
  await using place = await workspace({ files: { "config.yml": "queueMode: all\na: 1\n" } });
  const configFile = join(place.path, "config.yml");
  const { reset } = await openSettingsEditor({
    areas: allAreas,
    configFile,
    environment: {},
    flags: {},
  });
  await reset("steeringMode");
  expect(await place.read("config.yml")).toBe("a: 1\n");
});
