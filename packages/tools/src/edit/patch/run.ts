/** Runs edits that come as diffs: as JSON entries, or as one free text. */

import { ToolFailure, type ToolRun } from "@omp/agent";
import { commit } from "../commit.ts";
import { refuseHalfCharacters, type EditHosts } from "../planned.ts";
import { parseEnvelope } from "./envelope.ts";
import { parseHunks } from "./hunk.ts";
import { planEntries, type PatchEntry } from "./plan.ts";

interface GivenEntry {
  readonly path: string;
  readonly op: "create" | "update" | "delete";
  readonly rename?: string;
  readonly diff?: string;
}

export const runPatch: ToolRun<{ files: readonly GivenEntry[] }, EditHosts> = async (
  { files },
  call,
  hosts,
) => {
  const said = JSON.stringify(files);
  refuseHalfCharacters(files.map(({ diff }) => diff ?? "").join(""));
  const planned = await planEntries(files.map(entryOf), call, hosts);
  return commit(planned, { call, said }, hosts);
};

export const runApplyPatch: ToolRun<{ input: string }, EditHosts> = async (
  { input },
  call,
  hosts,
) => {
  refuseHalfCharacters(input);
  const planned = await planEntries(parseEnvelope(input), call, hosts);
  return commit(planned, { call, said: input }, hosts);
};

function entryOf({ path, op, rename, diff = "" }: GivenEntry): PatchEntry {
  const lines = diff.replaceAll("\r\n", "\n").split("\n");
  switch (op) {
    case "delete":
      return { op, path };
    case "create":
      return { op, path, lines: contentLines(lines) };
    case "update": {
      const hunks = parseHunks(lines, path);
      if (hunks.length === 0 && rename === undefined) {
        throw new ToolFailure(`${path}: an update needs hunks in "diff". Nothing was written.`);
      }
      return { op, path, rename, hunks };
    }
  }
}

/** A new file may come as it is or as a diff of nothing but `+` lines. */
function contentLines(lines: readonly string[]): readonly string[] {
  const whole = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  const body = whole.filter((line) => !/^@@ -0,0 \+\d/.test(line));
  const isDiff = body.length > 0 && body.every((line) => line.startsWith("+"));
  return isDiff ? body.map((line) => line.slice(1)) : whole;
}
