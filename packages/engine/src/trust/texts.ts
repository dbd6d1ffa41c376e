/** What people read about trust: what it is, where it is, what to do. */

import type { TrustItem, UiRequest } from "@omp/agent";

type TrustQuestion = Extract<UiRequest, { readonly kind: "trust" }>;

export function folderQuestion(folder: string): TrustQuestion {
  return {
    kind: "trust",
    title: `Do you trust ${folder}?`,
    message:
      "In a trusted folder omp changes files and runs commands without asking. Elsewhere it asks before it runs any.",
    items: [],
  };
}

export function itemsQuestion(items: readonly TrustItem[]): TrustQuestion {
  return {
    kind: "trust",
    title: "This project wants omp to run or obey these. Allow them?",
    message: `${items.map(itemText).join("\n")}\nYou are asked again when one of them changes.`,
    items,
  };
}

export function refusalText(items: readonly TrustItem[]): string {
  return [
    "This project wants omp to run or obey what nobody has allowed:",
    ...items.map((item) => `  ${itemText(item)}`),
    "Look at them. Then omp trust allow --items allows them until they change, --trust for this run only.",
  ].join("\n");
}

/** Added to the refusal of a tool call in a folder that nobody trusts. */
export const UNTRUSTED_FOLDER =
  "The folder is not trusted: --yolo allows it for one run, omp trust allow for this folder.";

/** `hook .omp/hooks/pre/x.ts: runs around tool calls (changed: lib.ts)` */
function itemText({ kind, path, name, why, change }: TrustItem): string {
  const which = name === undefined ? "" : ` ${name}`;
  const reason = why === undefined ? "" : `: ${why}`;
  return `${kind} ${path}${which}${reason}${change === undefined ? "" : ` (${change})`}`;
}
