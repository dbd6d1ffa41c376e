/** The read tool: files, parts of files, directories, archives, databases, documents, images and URLs. */

import { lazy, Type } from "@omp/std";
import { defineTool } from "../shared/hosts.ts";
import prompt from "./prompt.md" with { type: "text" };
import type { ReadNeeds } from "./run.ts";

const input = Type.Object({
  path: Type.String({ minLength: 1, description: "Path, optionally with a selector" }),
});

export const read = defineTool<typeof input, ReadNeeds>({
  name: "read",
  label: "Read",
  prompt,
  input,
  tier: "read",
  concurrency: "shared",
  load: lazy(async () => (await import("./run.ts")).run),
});
