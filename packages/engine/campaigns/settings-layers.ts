/** Any stack of settings gives the value that a plain model gives, and `why` names who decided. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setting, settingArea, Type, type Random } from "@omp/std";
import type { Campaign } from "@omp/testkit";
import { openSettingsEditor, type Explanation } from "../src/settings/editor.ts";
import { projectFiles, readProjectLayers } from "../src/settings/project-layers.ts";

const words = { label: "x", help: "x" };
const anything = Type.Unsafe<Record<string, unknown>>({ type: "object" });
const area = settingArea("ship", {
  speed: setting(Type.Integer({ minimum: 0, maximum: 9 }), 1, { ...words, env: "SHIP_SPEED" }),
  name: setting(Type.String(), "Argo", { ...words, fallbackEnv: "SHIP_NAME" }),
  sails: setting(Type.Enum(["up", "down"]), "down", words),
  crew: setting(Type.Array(Type.String()), ["Ann"], words),
  cargo: setting(anything, {}, words),
});
const top = settingArea("", { afloat: setting(Type.Boolean(), true, { ...words, env: "AFLOAT" }) });

const NAMES = ["ship.speed", "ship.name", "ship.sails", "ship.crew", "ship.cargo", "afloat"];
type Values = Record<string, unknown>;

/** The files, the weakest first. */
const FILES = [
  ["file", "agent/config.yml"],
  ["project", ".gemini/settings.json"],
  ["project", ".claude/settings.json"],
  ["project", ".omp/settings.json"],
  ["project", ".omp/config.yml"],
  ["overlay", "one.yml"],
  ["overlay", "two.yml"],
] as const;

interface Said {
  readonly origin: string;
  readonly value: unknown;
}

const campaign: Campaign = {
  name: "settings-layers",
  describe: "Any stack of settings gives the model's value, and `why` names who decided.",
  fullCount: 10_000,
  async run({ count, random, report }) {
    const folder = mkdtempSync(join(tmpdir(), "omp-layers-"));
    try {
      for (let at = 0; at < count; at++) {
        const why = await faultOf(join(folder, String(at)), random);
        const name = `stack ${at}`;
        report(
          why === undefined
            ? { case: name, result: "passed" }
            : { case: name, result: "failed", why },
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export default campaign;

/** What is wrong with one stack, or undefined. */
async function faultOf(folder: string, random: Random): Promise<string | undefined> {
  const said = new Map<string, Said[]>(NAMES.map((name) => [name, []]));
  const environment = variables(random, said);
  const overlays: string[] = [];
  for (const [origin, file] of FILES) {
    if (chance(random, 0.4)) continue;
    const values = someValues(random, origin === "overlay");
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, textOf(values, file, random));
    if (origin === "overlay") overlays.push(path);
    for (const [name, value] of Object.entries(values)) said.get(name)!.push({ origin, value });
  }
  mkdirSync(folder, { recursive: true });
  strongVariables(environment, said);
  const flags = chance(random, 0.3) ? { "ship.sails": "up" } : {};
  for (const [name, value] of Object.entries(flags))
    said.get(name)!.push({ origin: "flag", value });
  const project = await readProjectLayers(projectFiles(folder), async () => () => true);
  const { why } = await openSettingsEditor({
    areas: [area, top],
    configFile: join(folder, "agent/config.yml"),
    projectLayers: project.layers,
    overlays,
    environment,
    flags,
  });
  for (const name of NAMES) {
    const wrong = differenceIn(why(name), said.get(name)!);
    if (wrong) return `${name}: ${wrong}`;
  }
  return undefined;
}

/** The plain model: the last valid word counts, maps lie over each other. */
function differenceIn(found: Explanation, said: readonly Said[]): string | undefined {
  const valid = said.filter(({ value }) => isValid(found.name, value));
  const wanted =
    valid.reduce<unknown>((below, { value }) => over(below, value), undefined) ?? found.default;
  if (!Bun.deepEquals(found.value, wanted)) {
    return `${JSON.stringify(found.value)} instead of ${JSON.stringify(wanted)}`;
  }
  const origin = valid.at(-1)?.origin ?? "default";
  if (found.origin !== origin) return `origin ${found.origin} instead of ${origin}`;
  const winners = found.sources.filter(({ standing }) => standing === "wins");
  const named = winners.map((one) => JSON.stringify(one.value)).join();
  const last = valid.length === 0 ? "" : JSON.stringify(valid.at(-1)!.value);
  if (named !== last) return `why names ${named} instead of ${last}`;
  const refused = found.sources.filter(({ standing }) => standing === "refused").length;
  const bad = said.length - valid.length;
  return refused === bad ? undefined : `${refused} refused instead of ${bad}`;
}

function over(below: unknown, above: unknown): unknown {
  if (!isMap(below) || !isMap(above)) return above;
  const result: Values = { ...below };
  for (const [key, value] of Object.entries(above))
    result[key] = key in below ? over(below[key], value) : value;
  return result;
}

function isMap(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isValid(name: string, value: unknown): boolean {
  switch (name) {
    case "ship.speed":
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 9;
    case "ship.name":
      return typeof value === "string";
    case "ship.sails":
      return value === "up" || value === "down";
    case "ship.crew":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "ship.cargo":
      return isMap(value);
    default:
      return typeof value === "boolean";
  }
}

function someValues(random: Random, mustBeRight: boolean): Values {
  const values: Values = {};
  for (const name of NAMES) {
    if (chance(random, 0.5)) continue;
    const value = chance(random, 0.15)
      ? pick(random, [-1, "left", [1], null, 2.5])
      : rightValue(name, random);
    // A wrong value in a file of --config ends the run; a key without a value says nothing.
    if (value === null || (mustBeRight && !isValid(name, value))) continue;
    values[name] = value;
  }
  return values;
}

function rightValue(name: string, random: Random): unknown {
  switch (name) {
    case "ship.speed":
      return Math.floor(random.next() * 10);
    case "ship.name":
      return pick(random, ["", "Beagle", "42", "true", "a: b # c", "ü"]);
    case "ship.sails":
      return pick(random, ["up", "down"]);
    case "ship.crew":
      return pick(random, [[], ["Bob"], ["Cy", "Di"]]);
    case "ship.cargo":
      return map(random, 3);
    default:
      return chance(random, 0.5);
  }
}

function map(random: Random, depth: number): Values {
  const keys = ["a", "b", "c.d"].filter(() => chance(random, 0.6));
  return Object.fromEntries(
    keys.map((key) => {
      const isDeep = depth > 0 && chance(random, 0.4);
      return [key, isDeep ? map(random, depth - 1) : pick(random, [1, "x", [1, 2], false])];
    }),
  );
}

/** Nested or dotted, YAML or JSON. */
function textOf(values: Values, file: string, random: Random): string {
  const fields: Values = {};
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith("ship.") && chance(random, 0.7)) {
      fields["ship"] = {
        ...(fields["ship"] as object | undefined),
        [name.slice("ship.".length)]: value,
      };
    } else fields[name] = value;
  }
  if (file.endsWith(".json")) return JSON.stringify(fields, null, 2);
  return chance(random, 0.3) ? JSON.stringify(fields) : `${Bun.YAML.stringify(fields, null, 2)}\n`;
}

/** The weak ones speak before any file. */
function variables(random: Random, said: Map<string, Said[]>): Record<string, string> {
  const environment: Record<string, string> = {};
  if (chance(random, 0.3)) {
    environment["SHIP_NAME"] = "Calypso";
    said.get("ship.name")!.push({ origin: "environment", value: "Calypso" });
  }
  if (chance(random, 0.3)) environment["SHIP_SPEED"] = pick(random, ["7", "fast", "-1"]);
  if (chance(random, 0.3)) environment["AFLOAT"] = pick(random, ["off", "1", "perhaps"]);
  return environment;
}

function strongVariables(environment: Record<string, string>, said: Map<string, Said[]>): void {
  const { SHIP_SPEED: speed, AFLOAT: afloat } = environment;
  const origin = "environment";
  if (speed !== undefined)
    said.get("ship.speed")!.push({ origin, value: speed === "7" ? 7 : speed });
  const truth: Values = { off: false, "1": true };
  if (afloat !== undefined) said.get("afloat")!.push({ origin, value: truth[afloat] ?? afloat });
}

function chance(random: Random, share: number): boolean {
  return random.next() < share;
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random.next() * values.length)]!;
}
