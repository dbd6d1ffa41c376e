/** The bash tool: one command in a fresh shell. */

import { lazy, stringMap, Type } from "@omp/std";
import { defineTool } from "../shared/hosts.ts";
import prompt from "./prompt.md" with { type: "text" };

const input = Type.Object({
  command: Type.String({ minLength: 1 }),
  timeout: Type.Optional(Type.Number({ description: "Seconds, 1 to 3600; default 300" })),
  cwd: Type.Optional(Type.String({ description: "Working directory" })),
  env: Type.Optional(stringMap({ description: "Variables for this command" })),
});

export const bash = defineTool<typeof input, "artifacts" | "files" | "shell">({
  name: "bash",
  label: "Bash",
  prompt,
  input,
  tier: "exec",
  concurrency: "exclusive",
  load: lazy(async () => (await import("./run.ts")).run),
});
