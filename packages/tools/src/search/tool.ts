/** The search tool: contents of files by regular expression. */

import { lazy, Type } from "@omp/std";
import { defineTool } from "../shared/hosts.ts";
import { acceptPaths } from "../shared/path-input.ts";
import prompt from "./prompt.md" with { type: "text" };

const input = Type.Object({
  pattern: Type.String(),
  paths: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Files (`a.ts:50-100` for a part), directories, globs, archive members (`a.zip:b.ts`), internal URLs; default: all",
    }),
  ),
  i: Type.Optional(Type.Boolean({ description: "Ignore case" })),
  gitignore: Type.Optional(Type.Boolean({ description: "Leave out ignored files; default true" })),
  skip: Type.Optional(Type.Number({ description: "Files to skip, for the next page" })),
});

export const search = defineTool<
  typeof input,
  "editing" | "files" | "resources" | "search" | "snapshots" | "sources"
>({
  name: "search",
  label: "Search",
  prompt,
  input,
  tier: "read",
  concurrency: "shared",
  aliases: ["grep"],
  accept: acceptSearch,
  load: lazy(async () => (await import("./run.ts")).run),
});

/** `case: false` and `ignoreCase: true` say the same as `i: true`. */
function acceptSearch(input: unknown): unknown {
  const given = acceptPaths(input);
  if (typeof given !== "object" || given === null) return given;
  const { case: isExact, ignoreCase, ...others } = given as Readonly<Record<string, unknown>>;
  const said = ignoreCase ?? (typeof isExact === "boolean" ? !isExact : undefined);
  return said === undefined || "i" in others ? others : { ...others, i: said };
}
