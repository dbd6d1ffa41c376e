/** Schemas without TypeBox must be the schemas TypeBox would have made. */

import { expect, test } from "bun:test";
import { Type as TypeBox } from "typebox";
import { Value } from "typebox/value";
import { Type } from "./type.ts";

const make = (kinds: typeof Type) =>
  kinds.Object(
    {
      path: kinds.String({ minLength: 1, description: "where" }),
      depth: kinds.Optional(kinds.Integer({ minimum: 0 })),
      ratio: kinds.Optional(kinds.Number()),
      deep: kinds.Optional(kinds.Boolean()),
      names: kinds.Array(kinds.String(), { maxItems: 2 }),
      mode: kinds.Enum(["a", "b"]),
      free: kinds.Optional(kinds.Unsafe<unknown>({ type: "object" })),
    },
    { additionalProperties: false },
  );

test("the JSON is the same", () => {
  expect(JSON.parse(JSON.stringify(make(Type)))).toEqual(JSON.parse(JSON.stringify(make(TypeBox))));
  expect(JSON.stringify(Type.Object({}))).toBe(JSON.stringify(TypeBox.Object({})));
});

test.each([
  [{ path: "x", names: [], mode: "a" }, true],
  [{ path: "x", names: ["1", "2"], mode: "b", depth: 0, ratio: 0.5, deep: true, free: {} }, true],
  [{ names: [], mode: "a" }, false],
  [{ path: "", names: [], mode: "a" }, false],
  [{ path: "x", names: [], mode: "c" }, false],
  [{ path: "x", names: [], mode: "a", depth: 1.5 }, false],
  [{ path: "x", names: [], mode: "a", other: 1 }, false],
])("%j is judged the same: %p", (value, verdict) => {
  expect(Value.Check(make(Type), value)).toBe(verdict);
  expect(Value.Check(make(TypeBox), value)).toBe(verdict);
});
