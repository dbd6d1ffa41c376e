/** omp from the source of this checkout, in a throw-away home, against a scripted model. */

import {
  runOmp,
  scriptedModel,
  workspace,
  type OmpResult,
  type RecordedRequest,
  type TurnSource,
} from "@omp/testkit";
import { join } from "node:path";

const launcher = join(import.meta.dir, "../bin/omp.mjs");

export interface Played extends OmpResult {
  readonly requests: readonly RecordedRequest[];
}

export async function play(
  turns: readonly TurnSource[],
  args: readonly string[],
  { env = {}, config = "" }: { env?: Record<string, string>; config?: string } = {},
): Promise<Played> {
  await using model = await scriptedModel(turns);
  await using place = await workspace();
  await place.write("../home/.omp/agent/config.yml", config);
  const result = await runOmp(args, {
    cwd: place.path,
    home: place.home,
    env: { ...model.environment(), ...env },
    binary: launcher,
  });
  return { ...result, requests: model.requests };
}

export interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What JSON mode printed. */
export function linesOf({ stdout }: OmpResult): readonly Line[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}
