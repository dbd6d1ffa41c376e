/** What the path of a call turned out to mean. */

import type { FileStat } from "@omp/host";
import type { ReadDetails, ReadSource } from "./details.ts";
import { WHOLE, type Selector } from "./selector.ts";

export interface Target {
  /** As the model wrote it, without the selector. */
  readonly given: string;
  readonly path: string;
  readonly stat: FileStat;
  readonly selector: Selector;
  /** What stands behind the file and is no selector: a member of an archive, a table of a database. */
  readonly inner?: string;
  readonly source: ReadSource;
  /** Edits can change it. */
  readonly isMutable: boolean;
  /** All of it is shown, however long. */
  readonly isWhole?: boolean;
  /** What the model is told first. */
  readonly notice?: string;
  readonly suffixResolution?: ReadDetails["suffixResolution"];
}

export function localTarget(
  given: string,
  { path, stat }: Pick<Target, "path" | "stat">,
  rest: Partial<Target> = {},
): Target {
  const source = { type: "path", value: path } as const;
  return { given, path, stat, selector: WHOLE, source, isMutable: true, ...rest };
}
