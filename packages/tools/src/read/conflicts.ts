/** The conflicts of a file, each with the number that it can be read and resolved by. */

import { textOutput, type ToolOutput } from "@omp/agent";
import type { Files } from "@omp/host";
import type { Conflict, Conflicts } from "../shared/conflicts.ts";
import { orFailure } from "../shared/failure.ts";
import type { ReadDetails } from "./details.ts";
import type { Target } from "./target.ts";

const MAX_BYTES = 16 * 1024 * 1024;

export async function readConflicts(
  { given, path, source }: Target,
  files: Files,
  conflicts: Conflicts,
): Promise<ToolOutput<ReadDetails>> {
  const bytes = await orFailure(files.read(path, { maxBytes: MAX_BYTES }));
  const found = conflicts.register(
    path,
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
  );
  const details = {
    kind: "file",
    resolvedPath: path,
    conflictCount: found.length,
    meta: { source },
  } as const;
  if (found.length === 0) return textOutput(`No unresolved conflicts in ${given}`, details);
  const count =
    found.length === 1 ? "1 unresolved conflict" : `${found.length} unresolved conflicts`;
  const advice =
    "Read conflict://N, or a side: /ours, /theirs, /base, /both. Write conflict://N to resolve it.";
  return textOutput([`${count} in ${given}`, ...found.map(lineOf), advice].join("\n"), details);
}

function lineOf({ id, startLine, endLine, labels, base }: Conflict): string {
  const sides = [labels.ours, labels.theirs].filter((label) => label !== "").join(" | ");
  const facts = [...(sides === "" ? [] : [sides]), ...(base === undefined ? [] : ["with base"])];
  return `#${id} L${startLine}-L${endLine}${facts.length === 0 ? "" : `  ${facts.join(", ")}`}`;
}
