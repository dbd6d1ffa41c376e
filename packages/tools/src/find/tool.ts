/** The find tool: files by path, newest first. */

import { lazy, Type } from "@omp/std";
import { defineTool } from "../shared/hosts.ts";
import { acceptPaths } from "../shared/path-input.ts";
import prompt from "./prompt.md" with { type: "text" };

const input = Type.Object({
  paths: Type.Array(Type.String(), { description: "Globs, files or directories" }),
  hidden: Type.Optional(Type.Boolean({ description: "Also dot files; default true" })),
  limit: Type.Optional(Type.Number({ description: "Most files; default 1000" })),
});

export const find = defineTool<typeof input, "files" | "scans">({
  name: "find",
  label: "Find",
  prompt,
  input,
  tier: "read",
  concurrency: "shared",
  aliases: ["glob"],
  accept: acceptPaths,
  load: lazy(async () => (await import("./run.ts")).run),
});
