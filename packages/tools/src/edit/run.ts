/** Runs an edit of the hashline kind. */

import type { ToolRun } from "@omp/agent";
import { commit } from "./commit.ts";
import { parseInput } from "./hashline/parse.ts";
import { planSections } from "./hashline/plan.ts";
import { refuseHalfCharacters, type EditHosts } from "./planned.ts";

/** `path` is no part of the schema: old calls name the file beside the operations. */
export const run: ToolRun<{ input: string; path?: string }, EditHosts> = async (
  { input, path },
  call,
  hosts,
) => {
  refuseHalfCharacters(input);
  const { sections, warnings } = parseInput(input, { sign: hosts.editing.payloadSign, path });
  const planned = await planSections(sections, call, hosts);
  const told = planned.map((change) => ({
    ...change,
    warnings: [...warnings, ...change.warnings],
  }));
  return commit(told, { call, said: JSON.stringify({ input, path }) }, hosts);
};
