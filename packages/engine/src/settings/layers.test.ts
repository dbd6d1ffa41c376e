/** Layers of settings: who wins, what is merged, what changes while the process runs. */

import { setting, settingArea, Type } from "@omp/std";
import { workspace, type Workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allAreas } from "./all-areas.ts";
import { openSettingsEditor } from "./editor.ts";
import { projectFiles, readProjectLayers } from "./project-layers.ts";
import { settingAreas } from "./registry.ts";
import { interactionArea } from "./schema/interaction.ts";
import { modelArea } from "./schema/model.ts";
import { retryArea } from "./schema/retry.ts";
import { loadSettings, type SettingLayers, type SettingProblem } from "./store.ts";

const CONFIG = "agent/config.yml";

type Wishes = Partial<SettingLayers> & { readonly mayHold?: (name: string) => boolean };

/** The layers as files of a folder: config.yml of the person, and what the project has. */
async function layersIn(place: Workspace, { mayHold = () => true, ...wishes }: Wishes = {}) {
  const project = await readProjectLayers(projectFiles(place.path), async () => mayHold);
  const layers: SettingLayers = {
    areas: settingAreas,
    loadAll: async () => allAreas,
    configFile: join(place.path, CONFIG),
    projectLayers: project.layers,
    environment: {},
    flags: {},
    ...wishes,
  };
  return { layers, project };
}

async function load(place: Workspace, wishes: Wishes = {}) {
  return loadSettings((await layersIn(place, wishes)).layers);
}

async function edit(place: Workspace, wishes: Wishes = {}) {
  return openSettingsEditor({ ...(await layersIn(place, wishes)).layers, areas: allAreas });
}

test("CFG-09 SET-R1 default, config.yml, project, --config, flag, this run: the next one down is in force when one goes", async () => {
  await using place = await workspace();
  const values = async (wishes: Wishes) =>
    (await load(place, { overlays: [join(place.path, "over.yml")], ...wishes })).values(retryArea)
      .maxRetries;
  await place.write(CONFIG, "retry: { maxRetries: 1 }\n");
  await place.write(".omp/settings.json", '{ "retry": { "maxRetries": 2 } }');
  await place.write(".omp/config.yml", "retry: { maxRetries: 3 }\n");
  await place.write("over.yml", "retry: { maxRetries: 4 }\n");
  const told = await load(place, { flags: { "retry.maxRetries": 5 } });
  await told.override("retry.maxRetries", 6);
  expect(told.values(retryArea).maxRetries).toBe(6);
  expect(await values({ flags: { "retry.maxRetries": 5 } })).toBe(5);
  expect(await values({})).toBe(4);
  await place.write("over.yml", "# nothing\n");
  expect(await values({})).toBe(3);
  await place.write(".omp/config.yml", "");
  expect(await values({})).toBe(2);
  await place.write(".omp/settings.json", "{}");
  expect(await values({})).toBe(1);
  await place.write(CONFIG, "");
  expect(await values({})).toBe(10);
});

test("CFG-13 maps of different layers lie over each other at every depth, lists replace", async () => {
  await using place = await workspace();
  await place.write(
    CONFIG,
    "compaction: { enabled: false }\nmodelRoles: { smol: a/b, slow: c/d }\nmodelProviderOrder: [x, y]\n",
  );
  await place.write(
    ".omp/config.yml",
    "compaction: { strategy: handoff }\nmodelRoles: { slow: e/f }\nmodelProviderOrder: [z]\n",
  );
  const settings = await load(place);
  expect(settings.values(modelArea).modelRoles).toEqual({ smol: "a/b", slow: "e/f" });
  expect(settings.values(modelArea).modelProviderOrder).toEqual(["z"]);
  const { row } = await edit(place);
  expect(row("compaction.enabled").value).toBe(false);
  expect(row("compaction.strategy").value).toBe("handoff");
});

test("CFG-10 CFG-14 SET-R2 of the project's files omp's own are the strongest; only the folder itself counts", async () => {
  await using place = await workspace();
  await place.write(
    ".gemini/settings.json",
    '{ "retry": { "maxRetries": 1, "baseDelayMs": 1, "maxDelayMs": 1 } }',
  );
  await place.write(
    ".claude/settings.json",
    '{ "retry": { "maxRetries": 2, "baseDelayMs": 2 }, "hooks": {}, "model": "opus" }',
  );
  await place.write(".omp/settings.json", '{\n  // mine\n  "retry": { "maxRetries": 3 },\n}');
  await place.write("home/.claude/settings.json", '{ "retry": { "enabled": false } }');
  const settings = await load(place);
  expect(settings.values(retryArea)).toMatchObject({
    maxRetries: 3,
    baseDelayMs: 2,
    maxDelayMs: 1,
    enabled: true,
  });
  // What another tool means by its own keys is not ours to judge.
  expect(settings.problems).toEqual([]);
  await place.write("deep/er/x", "");
  expect(projectFiles(join(place.path, "deep/er"))).toEqual([]);
});

test("what a project may not set is left out and named", async () => {
  await using place = await workspace();
  await place.write(".omp/config.yml", "retry:\n  maxRetries: 3\nshellPath: /tmp/evil\n");
  const settings = await load(place, { mayHold: (name) => name !== "shellPath" });
  expect(settings.values(retryArea).maxRetries).toBe(3);
  expect(settings.problems).toMatchObject([
    { kind: "forbidden", place: join(place.path, ".omp/config.yml:3") },
  ]);
  const { why } = await edit(place, { mayHold: (name) => name !== "shellPath" });
  expect(why("shellPath")).toMatchObject({
    value: "",
    origin: "default",
    sources: [{ standing: "refused" }],
  });
});

test("why: who decides, what it hides, whose map is part of it", async () => {
  await using place = await workspace();
  await place.write(
    CONFIG,
    "# mine\nretry:\n  maxRetries: 1\n  baseDelayMs: soon\nmodelRoles: { smol: a/b }\n",
  );
  await place.write("over.yml", "retry.maxRetries: 4\nmodelRoles:\n  slow: c/d\n");
  const overlay = join(place.path, "over.yml");
  const { why } = await edit(place, { overlays: [overlay], flags: { "retry.enabled": false } });
  const file = join(place.path, CONFIG);
  expect(why("retry.maxRetries")).toMatchObject({
    value: 4,
    default: 10,
    origin: "overlay",
    sources: [
      { origin: "overlay", place: `${overlay}:1`, value: 4, standing: "wins" },
      { origin: "file", place: `${file}:3`, value: 1, standing: "shadowed" },
    ],
  });
  expect(why("modelRoles").value).toEqual({ smol: "a/b", slow: "c/d" });
  expect(why("modelRoles").sources.map(({ standing, place: at }) => [standing, at])).toEqual([
    ["wins", `${overlay}:2`],
    ["merged", `${file}:5`],
  ]);
  expect(why("retry.baseDelayMs")).toMatchObject({
    value: 500,
    sources: [{ value: "soon", standing: "refused", place: `${file}:4` }],
  });
  expect(why("retry.enabled").sources).toMatchObject([{ origin: "flag", place: "command line" }]);
});

test("a variable wins over files, or only fills in where its setting says so", async () => {
  await using place = await workspace();
  await place.write(
    CONFIG,
    "edit: { mode: patch }\nsearxng: { endpoint: http://a }\nshowHardwareCursor: false\n",
  );
  const environment = {
    PI_EDIT_VARIANT: "replace",
    SEARXNG_ENDPOINT: "http://b",
    SEARXNG_TOKEN: "0123",
    PI_HARDWARE_CURSOR: "1",
  };
  const { row, why } = await edit(place, { environment });
  expect(row("edit.mode")).toMatchObject({ value: "replace", origin: "environment" });
  expect(row("searxng.endpoint")).toMatchObject({ value: "http://a", origin: "file" });
  expect(row("searxng.token")).toMatchObject({ value: "0123", origin: "environment" });
  expect(row("showHardwareCursor").value).toBe(true);
  const wrong = await edit(place, { environment: { PI_EDIT_VARIANT: "foo" } });
  expect(wrong.row("edit.mode").value).toBe("patch");
  expect(why("edit.mode").sources[0]!.place).toBe("environment variable PI_EDIT_VARIANT");
});

test("SET-R6 an unknown key is kept, ignored and named with its line and the nearest right one", async () => {
  await using place = await workspace();
  await place.write(CONFIG, "retry:\n  maxRetrys: 3\nfoo: 1\nlsp: 5\n");
  const settings = await load(place);
  expect(
    settings.problems.map(({ place: at, message }) => `${at.split("/").at(-1)}: ${message}`),
  ).toEqual([
    "config.yml:2: there is no setting retry.maxRetrys. Did you mean retry.maxRetries?",
    "config.yml:3: there is no setting foo.",
    "config.yml:4: lsp must be a mapping of settings",
  ]);
  const { set } = await edit(place);
  await set("retry.maxRetries", "2");
  expect(await place.read(CONFIG)).toContain("maxRetrys: 3");
  await expect(set("retry.maxRetrys", "2")).rejects.toThrow("Unknown setting: retry.maxRetrys");
});

test("the whole list of settings is loaded only for a key that no loaded area has", async () => {
  await using place = await workspace();
  let loads = 0;
  const loadAll = async () => {
    loads += 1;
    return allAreas;
  };
  await place.write(CONFIG, "retry: { maxRetries: 2 }\nsteeringMode: all\n");
  await load(place, { loadAll });
  expect(loads).toBe(0);
  await place.write(CONFIG, "lsp: { enabled: false }\n");
  expect((await load(place, { loadAll })).problems).toEqual([]);
  expect(loads).toBe(1);
});

test("CFG-12 SET-R3 a change holds at once, goes to config.yml alone, and outside edits survive it", async () => {
  await using place = await workspace();
  await place.write(CONFIG, "# mine\nretry:\n  maxRetries: 1\n");
  await place.write(".omp/config.yml", "retry: { baseDelayMs: 7 }\n");
  const settings = await load(place);
  await settings.set("retry.maxRetries", 5);
  expect(settings.values(retryArea).maxRetries).toBe(5);
  await settings.flush();
  appendFileSync(join(place.path, CONFIG), "steeringMode: all\n");
  await settings.set("retry.enabled", false);
  await settings.flush();
  expect(await place.read(CONFIG)).toBe(
    "# mine\nretry:\n  maxRetries: 5\n  enabled: false\nsteeringMode: all\n",
  );
  expect(await place.read(".omp/config.yml")).toBe("retry: { baseDelayMs: 7 }\n");
  expect(settings.values(interactionArea).steeringMode).toBe("all");
  expect(statSync(join(place.path, CONFIG)).mode & 0o777).toBe(0o600);
  await settings.set("retry.maxRetries", undefined);
  expect(settings.values(retryArea).maxRetries).toBe(10);
  await expect(settings.set("retry.maxRetries", "many")).rejects.toThrow("must be an integer");
  await expect(settings.set("retry.most", 1)).rejects.toThrow("Unknown setting: retry.most");
});

test("two programs that change settings at once lose nothing", async () => {
  await using place = await workspace();
  const stores = await Promise.all(Array.from({ length: 4 }, () => load(place)));
  const names = [
    "retry.maxRetries",
    "retry.baseDelayMs",
    "retry.maxDelayMs",
    "compaction.reserveTokens",
  ];
  await Promise.all(
    stores.map(async (store, at) => {
      for (let value = 1; value <= 5; value++) await store.set(names[at]!, value);
      await store.flush();
    }),
  );
  const { row } = await edit(place);
  expect(names.map((name) => row(name).value)).toEqual([5, 5, 5, 5]);
});

test("a change that cannot be saved holds while the process lives, and is told", async () => {
  await using place = await workspace();
  const told: SettingProblem[] = [];
  await place.write(CONFIG, "retry: [\n");
  const settings = await load(place, { warn: (problem) => told.push(problem) });
  await settings.set("retry.maxRetries", 3);
  await settings.flush();
  expect(settings.values(retryArea).maxRetries).toBe(3);
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringContaining("retry.maxRetries could not be saved"),
  ]);
  expect(await place.read(CONFIG)).toBe("retry: [\n");
});

test("a file that somebody else changed is read again; one that broke leaves what it said before", async () => {
  await using place = await workspace();
  const told: SettingProblem[] = [];
  const settings = await load(place, { warn: (problem) => told.push(problem) });
  const heard: number[] = [];
  const stop = settings.watch(retryArea, ({ maxRetries }) => heard.push(maxRetries));
  await place.write(CONFIG, "retry: { maxRetries: 2 }\n");
  await settings.refresh();
  await settings.refresh();
  writeFileSync(join(place.path, CONFIG), "retry: { maxRetries: [\n");
  await settings.refresh();
  expect(settings.values(retryArea).maxRetries).toBe(2);
  expect(told.map(({ message }) => message)).toEqual([
    "cannot be read: Unexpected token; what it said before is in force",
  ]);
  await settings.override("retry.maxRetries", 9);
  await settings.override("retry.maxRetries", undefined);
  stop();
  await settings.override("retry.maxRetries", 1);
  expect(heard).toEqual([2, 9, 2]);
});

test("what this process is told is above everything, in memory only", async () => {
  await using place = await workspace();
  await place.write(CONFIG, "modelRoles: { smol: a/b }\n");
  const settings = await load(place, { flags: { "retry.maxRetries": 4 } });
  await settings.override("retry.maxRetries", 6);
  await settings.override("modelRoles", { slow: "c/d" });
  expect(settings.values(retryArea).maxRetries).toBe(6);
  expect(settings.values(modelArea).modelRoles).toEqual({ slow: "c/d" });
  expect(settings.origin(retryArea, "maxRetries")).toBe("override");
  expect(await place.read(CONFIG)).toBe("modelRoles: { smol: a/b }\n");
});

test("a map from another tool cannot reach what objects inherit", async () => {
  await using place = await workspace();
  const words = settingArea("words", {
    map: setting(Type.Unsafe<object>({ type: "object" }), {}, { label: "x", help: "x" }),
  });
  await place.write(
    CONFIG,
    "words: { map: { __proto__: { polluted: 1 }, a: 1 } }\nconstructor: 1\n",
  );
  await place.write(".omp/config.yml", "words: { map: { __proto__: { polluted: 2 } } }\n");
  const settings = await load(place, { areas: [words] });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  expect(settings.values(words).map).toMatchObject({ a: 1 });
});

test("another project's files take the place of the former ones", async () => {
  await using place = await workspace();
  await place.write("a/.omp/config.yml", "retry: { maxRetries: 3 }\n");
  await place.write("b/.omp/config.yml", "retry: { baseDelayMs: 7 }\n");
  const layersOf = async (folder: string) =>
    (await readProjectLayers(projectFiles(join(place.path, folder)), async () => () => true))
      .layers;
  const settings = await load(place, { projectLayers: await layersOf("a") });
  expect(settings.values(retryArea)).toMatchObject({ maxRetries: 3, baseDelayMs: 500 });
  await settings.enterProject(await layersOf("b"));
  expect(settings.values(retryArea)).toMatchObject({ maxRetries: 10, baseDelayMs: 7 });
});
