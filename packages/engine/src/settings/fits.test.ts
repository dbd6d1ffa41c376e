/** The small checker against a complete one. */

import { settingName } from "@omp/std";
import Ajv from "ajv";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { allAreas } from "./all-areas.ts";
import { fits } from "./fits.ts";
import { configSchema } from "./json-schema.ts";

const ajv = new Ajv({ strict: false });
const schemas = allAreas.flatMap((area) =>
  Object.entries(area.settings).map(([key, { schema, default: fallback }]) => {
    return {
      name: settingName(area, key),
      schema,
      fallback,
    };
  }),
);

test("says of any value and any setting what a complete checker says", () => {
  const leaf = fc.oneof(
    fc.boolean(),
    fc.integer({ min: -3, max: 200 }),
    fc.double({ noNaN: true, min: -2, max: 2 }),
    fc.constantFrom("", "on", "off", "auto", "default", "path", "x"),
    fc.constant(null),
  );
  const key = fc.constantFrom("path", "paths", "models", "values", "providers", "x", "__proto__");
  const value = fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.dictionary(key, fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }))),
    fc.array(fc.dictionary(key, leaf), { maxLength: 2 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...schemas), value, ({ name, schema }, given) => {
      expect([name, given, fits(schema, given)]).toEqual([
        name,
        given,
        ajv.validate(schema, given),
      ]);
    }),
    { numRuns: 5000, seed: 1 },
  );
});

test("the schema of config.yml takes every default, and refuses what a setting refuses", () => {
  const check = ajv.compile(configSchema(allAreas));
  for (const { name, fallback } of schemas) {
    const nested = (value: unknown) =>
      name.split(".").reduceRight((inner, part) => ({ [part]: inner }), value);
    expect([name, check(nested(fallback))]).toEqual([name, true]);
    expect([name, check(nested(() => 1))]).toEqual([name, false]);
  }
});
