import { setting, settingArea, stringMap, Type } from "@omp/std";
import { workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { openSettingsEditor } from "./editor.ts";

const text = { label: "", help: "" };

const ship = settingArea("ship", {
  speed: setting(Type.Integer({ minimum: 0 }), 1, text),
  name: setting(Type.String(), "Argo", text),
  isAfloat: setting(Type.Boolean(), true, text),
  crew: setting(Type.Array(Type.String()), [], text),
  key: setting(Type.String(), "", { ...text, isSecret: true }),
  decks: setting(stringMap(), {}, text),
});

function open(folder: string, environment: Record<string, string> = {}) {
  const configFile = join(folder, "deep/config.yml");
  return openSettingsEditor({ areas: [ship], configFile, environment, flags: {} });
}

test("CFG-16 a change goes to config.yml alone and leaves what it does not know", async () => {
  await using place = await workspace();
  const file = await place.write("deep/config.yml", "# mine\nfoo: 1\nship:\n  speed: 2 # knots\n");
  const { set } = await open(place.path);
  expect(await set("ship.speed", "3")).toBe(3);
  expect(await set("ship.name", "42")).toBe("42");
  expect(await set("ship.crew", "[Ann, Bob]")).toEqual(["Ann", "Bob"]);
  expect(await place.read("deep/config.yml")).toBe(
    '# mine\nfoo: 1\nship:\n  speed: 3 # knots\n  name: "42"\n  crew: ["Ann","Bob"]\n',
  );
  const { row } = await open(place.path);
  expect(row("ship.speed")).toMatchObject({ value: 3, origin: "file", default: 1 });
  expect(row("ship.crew").value).toEqual(["Ann", "Bob"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a file and its folder are made with the first change", async () => {
  await using place = await workspace();
  await (await open(place.path)).set("ship.isAfloat", "false");
  expect(await place.read("deep/config.yml")).toBe("ship:\n  isAfloat: false\n");
  expect(statSync(join(place.path, "deep")).mode & 0o777).toBe(0o700);
  expect(statSync(join(place.path, "deep/config.yml")).mode & 0o777).toBe(0o600);
});

test("a wrong value is refused with the accepted ones, an unknown name with a guess", async () => {
  await using place = await workspace();
  const { set, row } = await open(place.path);
  await expect(set("ship.speed", "fast")).rejects.toThrow(
    'ship.speed must be an integer, at least 0, not "fast"',
  );
  await expect(set("ship.isAfloat", "maybe")).rejects.toThrow("must be true or false");
  await expect(set("ship.crew", "{a: b}")).rejects.toThrow("must be a list");
  await expect(set("ship.sped", "1")).rejects.toThrow(
    "Unknown setting: ship.sped. Did you mean ship.speed?",
  );
  expect(() => row("nothing.like.it")).toThrow("Unknown setting: nothing.like.it");
  expect(place.exists("deep/config.yml")).toBe(false);
});

test("a reset takes the value out of the file", async () => {
  await using place = await workspace();
  await place.write("deep/config.yml", "ship:\n  speed: 2\n  name: Beagle\n");
  const { reset } = await open(place.path);
  expect(await reset("ship.speed")).toBe(1);
  expect(await place.read("deep/config.yml")).toBe("ship:\n  name: Beagle\n");
});

test("one value of a map is set, explained and reset by its own name", async () => {
  await using place = await workspace();
  await place.write("deep/config.yml", "ship:\n  decks:\n    upper: sails\nship.decks.hold: rum\n");
  const { set, row, why, problems } = await open(place.path);
  expect(problems).toEqual([]);
  expect(row("ship.decks").value).toEqual({ upper: "sails", hold: "rum" });
  expect(why("ship.decks.upper").sources).toMatchObject([{ value: "sails", standing: "wins" }]);
  await set("ship.decks.lower", "guns");
  const { reset, row: rowNow } = await open(place.path);
  expect(rowNow("ship.decks.lower")).toMatchObject({ value: "guns", default: null });
  await reset("ship.decks.upper");
  expect((await open(place.path)).row("ship.decks").value).toEqual({ lower: "guns", hold: "rum" });
  await expect(set("ship.speed.now", "1")).rejects.toThrow("Unknown setting: ship.speed.now");
});

test("a byte order mark and the line ends of Windows stay", async () => {
  await using place = await workspace();
  await place.write("deep/config.yml", "\uFEFFship:\r\n  speed: 2 # knots\r\nother: 1\r\n");
  const { set, reset } = await open(place.path);
  await set("ship.speed", "3");
  await set("ship.name", "Beagle");
  expect(await Bun.file(join(place.path, "deep/config.yml")).bytes()).toEqual(
    Buffer.from("\uFEFFship:\r\n  speed: 3 # knots\r\n  name: Beagle\r\nother: 1\r\n"),
  );
  await reset("ship.name");
  await reset("ship.speed");
  expect(Buffer.from(await Bun.file(join(place.path, "deep/config.yml")).bytes()).toString()).toBe(
    "\uFEFFother: 1\r\n",
  );
});

test("where nothing can be written a change says so", async () => {
  await using place = await workspace();
  await place.write("deep", "a file where the folder should be");
  const { set } = await open(place.path);
  await expect(set("ship.speed", "3")).rejects.toThrow("deep/config.yml cannot be written");
});

test("a file that is not YAML is left as it is", async () => {
  await using place = await workspace();
  await place.write("deep/config.yml", "ship: [\n");
  const { set } = await open(place.path);
  await expect(set("ship.speed", "3")).rejects.toThrow(
    "deep/config.yml:1: Unexpected token. Mend it first.",
  );
  expect(await place.read("deep/config.yml")).toBe("ship: [\n");
});

test("of changes at the same moment none is lost", async () => {
  await using place = await workspace();
  const editors = await Promise.all(Array.from({ length: 4 }, () => open(place.path)));
  await Promise.all([
    editors[0]!.set("ship.speed", "9"),
    editors[1]!.set("ship.name", "Calypso"),
    editors[2]!.set("ship.isAfloat", "false"),
    editors[3]!.set("ship.crew", "[Ann]"),
  ]);
  const { rows } = await open(place.path);
  expect(rows.map(({ value }) => value)).toEqual([9, "Calypso", false, ["Ann"], "", {}]);
});
