/** Why a setting has its value, as `omp config why` tells it. */

import type { Explanation } from "@omp/engine/boot";
import { masked, words } from "./list.ts";

const HEAD = ["standing", "from", "place", "value"];

/** As data: secrets are only known to be there. */
export function explained(one: Explanation) {
  const { isSecret, value, sources, ...rest } = one;
  const hide = (given: unknown) => (isSecret ? masked(given, one.default) : given);
  return {
    ...rest,
    value: hide(value),
    sources: sources.map((source) => ({ ...source, value: hide(source.value) })),
  };
}

export function whyText(one: Explanation): string {
  const {
    name,
    value,
    label,
    help,
    accepted,
    default: fallback,
    isPlanned,
    sources,
  } = explained(one);
  const rows = sources.map(({ standing, origin, place, value: said }) => [
    standing,
    origin,
    place,
    words(said),
  ]);
  return [
    `${name} = ${words(value)}`,
    `  ${label}. ${help}.`,
    `  Takes ${accepted}. The default is ${words(fallback)}.`,
    ...(isPlanned ? ["  It has no effect yet: what it is for is not built."] : []),
    ...(rows.length === 0 ? ["  Nothing sets it: the default is in force."] : aligned(rows)),
  ].join("\n");
}

/** Everything that is set somewhere. */
export function allText(all: readonly Explanation[]): string {
  return all.length === 0
    ? "Nothing is set: every default is in force."
    : all.map(whyText).join("\n\n");
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const table = [HEAD, ...rows];
  const widths = HEAD.map((_cell, at) => Math.max(...table.map((row) => row[at]!.length)));
  return table.map((row) => {
    const cells = row.map((cell, at) => (at === HEAD.length - 1 ? cell : cell.padEnd(widths[at]!)));
    return `    ${cells.join("  ")}`;
  });
}
