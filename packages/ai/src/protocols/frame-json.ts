/** The JSON object inside a frame. */

import type { Frame } from "../transport/frame.ts";
import { excerpt, malformed } from "./failure.ts";

/** The fields of `Wire` are claims of the sender: declare all of them optional. */
export function parseFrame<Wire extends object>(frame: Frame): Wire {
  let value: unknown;
  try {
    value = JSON.parse(frame.data);
  } catch (error) {
    throw malformed(`The provider sent something that is not JSON: ${excerpt(frame.data)}`, error);
  }
  if (typeof value === "object" && value !== null) return value as Wire;
  throw malformed(`The provider sent ${excerpt(frame.data)} where an object belongs`);
}
