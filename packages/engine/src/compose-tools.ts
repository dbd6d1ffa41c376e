/** The tools that are offered: those that the command line and the settings leave, in the dialect of the house. */

import { UserError } from "@omp/std";
import { inDialect, payloadSign, tools as allTools, type Hosts } from "@omp/tools";
import { OfferedTools } from "./conversation/offered-tools.ts";
import type { Environment } from "./paths.ts";
import { editArea } from "./settings/schema/edit.ts";
import { findArea, globArea, grepArea, searchArea } from "./settings/schema/search.ts";
import type { SettingsStore } from "./settings/store.ts";

type HouseTool = (typeof allTools)[number];

/** Names that nobody else's tools may have. */
export const houseNames: readonly string[] = allTools.map(({ name }) => name);

/** @param names the tools that are wanted; all when absent */
export function composeTools(
  names: readonly string[] | undefined,
  settings: SettingsStore,
  environment: Environment,
): OfferedTools<Hosts> {
  const chosen = chosenTools(names, switchedOff(settings));
  return new OfferedTools(inDialect(chosen, dialectOf(settings, environment)), {
    isStrict: !environment["PI_NO_STRICT"],
  });
}

export function dialectOf(settings: SettingsStore, environment: Environment) {
  return {
    mode: settings.values(editArea).mode,
    payloadSign: payloadSign(environment["PI_HL_SEP"]),
  };
}

function chosenTools(
  names: readonly string[] | undefined,
  off: readonly string[],
): readonly HouseTool[] {
  const offered = allTools.filter((tool) => !off.includes(tool.name));
  if (names === undefined) return offered;
  const isMeant = (name: string, tool: HouseTool) =>
    tool.name === name || tool.aliases?.includes(name);
  const unknown = names.filter((name) => !allTools.some((tool) => isMeant(name, tool)));
  if (unknown.length > 0) {
    const known = houseNames.join(", ");
    throw new UserError("usage", `unknown tool: ${unknown.join(", ")}. Available: ${known}`);
  }
  return offered.filter((tool) => names.some((name) => isMeant(name, tool)));
}

/** Names of the tools that the person does without. */
function switchedOff(settings: SettingsStore): readonly string[] {
  const isOff = (...areas: readonly (typeof findArea | typeof grepArea)[]) =>
    areas.some((area) => !settings.values(area).enabled);
  return [
    ...(isOff(findArea, globArea) ? ["find"] : []),
    ...(isOff(searchArea, grepArea) ? ["search"] : []),
  ];
}
