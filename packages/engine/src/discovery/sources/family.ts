/** What the families of agents have in common: the same folders below `.omp`, `.claude`, `.codex` and `.gemini`. */

import { file, files, folders, type Base, type Spot } from "../source.ts";

const PROMPT_FILES = ["SYSTEM.md", "APPEND_SYSTEM.md", "TITLE_SYSTEM.md"];

/** Names a prompt file by itself; its place is right in the base, never above it. */
export function promptFiles(...places: readonly (readonly [Base, string])[]): readonly Spot[] {
  return places.flatMap(([base, path]) =>
    PROMPT_FILES.map((name) => file(base, `${path}${name}`, { name })),
  );
}

export function skills(base: Base, path: string): Spot {
  return folders(base, path, ["SKILL.md"]);
}

const CODE = [".ts", ".js"];

export function hooks(base: Base, path: string): readonly Spot[] {
  return [
    files(base, `${path}/pre`, CODE, { stage: "pre" }),
    files(base, `${path}/post`, CODE, { stage: "post" }),
  ];
}

const TOOLS = [".json", ".md", ".ts", ".js", ".sh", ".bash", ".py"];

export function tools(base: Base, path: string): readonly Spot[] {
  return [files(base, path, TOOLS), folders(base, path, ["index.ts"])];
}
