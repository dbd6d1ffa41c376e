/** What `omp trust` says about folders and items. */

import type { FolderReport, TrustDecisions } from "@omp/engine/boot";
import { sanitizeLine } from "@omp/std";

export function folderText({ folder, decision, items }: FolderReport): string {
  const rows = items.map(({ state, kind, path, name, why, change }) => {
    const which = name === undefined ? "" : ` ${name}`;
    const reason = [why, change].filter((text) => text !== undefined).join("; ");
    return `  ${state.padEnd(8)} ${kind} ${path}${which}: ${reason}`;
  });
  const isOpen = items.some(({ state, isByFolder }) => state !== "trusted" && !isByFolder);
  return lines([
    `${folder}: ${folderState(folder, decision)}`,
    ...rows,
    ...(decision?.isTrusted ? [] : ["omp trust allow trusts the folder."]),
    ...(isOpen ? ["omp trust allow --items allows what it wants to run, as it is now."] : []),
  ]);
}

function folderState(folder: string, decision: FolderReport["decision"]): string {
  if (!decision) return "not trusted";
  const word = decision.isTrusted ? "trusted" : "refused";
  return decision.folder === folder ? word : `${word}, by ${decision.folder}`;
}

export function allText({ folders, items }: TrustDecisions): string {
  return lines([
    ...Object.entries(folders).map(
      ([folder, { isTrusted, time }]) =>
        `${isTrusted ? "trusted" : "refused"}  folder ${folder}  ${time}`,
    ),
    ...items.map(
      ({ kind, path, name, time }) =>
        `trusted  ${kind} ${path}${name === undefined ? "" : ` ${name}`}  ${time}`,
    ),
  ]);
}

/** One row each, whatever line breaks a repository puts into its names. */
function lines(rows: readonly string[]): string {
  return rows.map((row) => `${sanitizeLine(row)}\n`).join("");
}
