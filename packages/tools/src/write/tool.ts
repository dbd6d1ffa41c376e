/** The write tool: a whole file at once. */

import { lazy, Type } from "@omp/std";
import { defineTool } from "../shared/hosts.ts";
import prompt from "./prompt.md" with { type: "text" };

const input = Type.Object({
  path: Type.String({ minLength: 1, description: "File to create or replace" }),
  content: Type.String({ description: "The whole content" }),
});

export const write = defineTool<
  typeof input,
  "files" | "resources" | "snapshots" | "editing" | "conflicts"
>({
  name: "write",
  label: "Write",
  prompt,
  input,
  tier: "write",
  concurrency: "exclusive",
  load: lazy(async () => (await import("./run.ts")).run),
});
