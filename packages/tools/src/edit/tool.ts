/** The edit tool, in the form that the settings choose: each has a schema and a prompt of its own. */

import type { Tool } from "@omp/agent";
import { lazy, Type } from "@omp/std";
import type { EditMode } from "../shared/editing.ts";
import { defineTool, type Hosts } from "../shared/hosts.ts";
import prompt from "./prompt.md" with { type: "text" };
import applyPatchPrompt from "./patch/apply-patch.md" with { type: "text" };
import patchPrompt from "./patch/prompt.md" with { type: "text" };
import replacePrompt from "./replace/prompt.md" with { type: "text" };

type Needs = "files" | "resources" | "snapshots" | "editing";

export interface Dialect {
  readonly mode: EditMode;
  /** In front of payload lines of the hashline form. */
  readonly payloadSign: string;
}

const always = { name: "edit", label: "Edit", tier: "write", concurrency: "exclusive" } as const;

const hashlineInput = Type.Object({
  input: Type.String({ minLength: 1, description: "Sections: a header, then operations" }),
});

const replaceInput = Type.Object({
  path: Type.String({ minLength: 1, description: "File to change" }),
  edits: Type.Array(
    Type.Object({
      old_text: Type.String({ minLength: 1, description: "Text as it is in the file" }),
      new_text: Type.String({ description: "Text in its place" }),
      all: Type.Optional(Type.Boolean({ description: "Replace every occurrence" })),
    }),
    { minItems: 1 },
  ),
});

const patchInput = Type.Object({
  files: Type.Array(
    Type.Object({
      path: Type.String({ minLength: 1 }),
      op: Type.Enum(["create", "update", "delete"]),
      rename: Type.Optional(Type.String({ minLength: 1, description: "New path of the file" })),
      diff: Type.Optional(Type.String({ description: "Hunks, or the content of a new file" })),
    }),
    { minItems: 1 },
  ),
});

const applyPatchInput = Type.Object({
  input: Type.String({ minLength: 1, description: "The whole patch" }),
});

export function editTool({ mode, payloadSign }: Dialect): Tool<Hosts> {
  switch (mode) {
    case "hashline":
      return defineTool<typeof hashlineInput, Needs>({
        ...always,
        prompt: prompt.replaceAll("~", payloadSign),
        input: hashlineInput,
        load: lazy(async () => (await import("./run.ts")).run),
      });
    case "replace":
      return defineTool<typeof replaceInput, Needs>({
        ...always,
        prompt: replacePrompt,
        input: replaceInput,
        load: lazy(async () => (await import("./replace/run.ts")).runReplace),
      });
    case "patch":
      return defineTool<typeof patchInput, Needs>({
        ...always,
        prompt: patchPrompt,
        input: patchInput,
        load: lazy(async () => (await import("./patch/run.ts")).runPatch),
      });
    case "apply_patch":
      return defineTool<typeof applyPatchInput, Needs>({
        ...always,
        prompt: applyPatchPrompt,
        input: applyPatchInput,
        load: lazy(async () => (await import("./patch/run.ts")).runApplyPatch),
      });
  }
}

export const edit = editTool({ mode: "hashline", payloadSign: "~" });
