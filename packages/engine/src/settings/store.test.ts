import { setting, settingArea, Type } from "@omp/std";
import { workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { loadSettings } from "./store.ts";

const text = { label: "", help: "" };
const area = settingArea("ship", {
  speed: setting(Type.Integer({ minimum: 0 }), 1, { ...text, env: "SHIP_SPEED" }),
  name: setting(Type.String(), "Argo", text),
  sails: setting(Type.Enum(["up", "down"]), "down", text),
});
const top = settingArea("", { crew: setting(Type.Array(Type.String()), ["Ann"], text) });

async function load(
  config: string | undefined,
  environment: Record<string, string> = {},
  flags: Record<string, unknown> = {},
) {
  await using place = await workspace(
    config === undefined ? {} : { files: { "config.yml": config } },
  );
  const configFile = join(place.path, "config.yml");
  return await loadSettings({ areas: [area, top], configFile, environment, flags });
}

test("defaults hold where nothing is said", async () => {
  const settings = await load(undefined);
  expect(settings.values(area)).toEqual({ speed: 1, name: "Argo", sails: "down" });
  expect(settings.origin(area, "speed")).toBe("default");
  expect(settings.problems).toEqual([]);
});

test("file, then environment, then flag: the later one wins", async () => {
  const config = "ship:\n  speed: 2\n  name: Beagle\ncrew: [Bob, Cy]\n";
  const fromFile = await load(config);
  expect(fromFile.values(area)).toMatchObject({ speed: 2, name: "Beagle" });
  expect(fromFile.values(top).crew).toEqual(["Bob", "Cy"]);
  const fromEnvironment = await load(config, { SHIP_SPEED: "3" });
  expect(fromEnvironment.values(area).speed).toBe(3);
  expect(fromEnvironment.origin(area, "speed")).toBe("environment");
  const fromFlag = await load(config, { SHIP_SPEED: "3" }, { "ship.speed": 4 });
  expect(fromFlag.values(area).speed).toBe(4);
  expect(fromFlag.origin(area, "speed")).toBe("flag");
});

test("settings that must stay unchanged hear the command line only", async () => {
  await using place = await workspace({
    files: {
      "config.yml": "ship: { speed: 2, name: 5 }\ncrew: [Bob]\n",
      "over.yml": "ship.sails: up\n",
    },
  });
  const settings = await loadSettings({
    areas: [area, top],
    configFile: join(place.path, "config.yml"),
    overlays: [join(place.path, "over.yml")],
    environment: { SHIP_SPEED: "3" },
    flags: {},
    unchanged: ["ship."],
  });
  expect(settings.values(area)).toEqual({ speed: 1, name: "Argo", sails: "up" });
  expect(settings.values(top).crew).toEqual(["Bob"]);
  expect(settings.problems).toEqual([]);
});

test("a dotted key is the same as a nested one", async () => {
  expect((await load("ship.name: Calypso\n")).values(area).name).toBe("Calypso");
});

test("a wrong value is named with its place and what stood below it stays in force", async () => {
  const settings = await load("ship:\n  speed: fast\n  sails: sideways\n", { SHIP_SPEED: "-1" });
  expect(settings.values(area)).toEqual({ speed: 1, name: "Argo", sails: "down" });
  expect(
    settings.problems.map(
      ({ place, message }) => `${place.replace(/.*config/, "config")}: ${message}`,
    ),
  ).toEqual([
    "config.yml:2: ship.speed must be an integer, at least 0",
    "config.yml:3: ship.sails must be one of up, down",
    "environment variable SHIP_SPEED: ship.speed must be an integer, at least 0",
  ]);
});

test("a file that is not YAML leaves the defaults and says so", async () => {
  const settings = await load("ship: [\n");
  expect(settings.values(area).speed).toBe(1);
  expect(settings.problems).toHaveLength(1);
  expect(settings.problems[0]!.message).toContain("defaults are in force");
});
