/** The context files, each with its path and its whole text. */

import type { ContextFile } from "../../discovery/item.ts";
import hint from "../prompts/context-files.md" with { type: "text" };

export function contextFilesSection(files: readonly Pick<ContextFile, "path" | "text">[]): string {
  if (files.length === 0) return "";
  const elements = files.map(({ path, text }) => `<file path="${path}">\n${text.trim()}\n</file>`);
  return [hint.trim(), ...elements].join("\n");
}

/** Files further down are named only: they concern who works there. */
export function nestedSection(paths: readonly string[]): string {
  return paths.length === 0
    ? ""
    : `Before editing in a folder with a file of its own, read it: ${paths.join(", ")}`;
}
