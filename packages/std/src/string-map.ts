/** The schema of a map from names to texts. */

import type { TUnsafe } from "typebox";
import { Type } from "./type.ts";

export function stringMap(options: { description?: string } = {}): TUnsafe<Record<string, string>> {
  return Type.Unsafe<Record<string, string>>({
    type: "object",
    additionalProperties: { type: "string" },
    ...options,
  });
}
