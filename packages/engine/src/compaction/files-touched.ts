/** Which files the model read and changed, from its tool calls; kept from compaction to compaction. Pure. */

import { fieldsOf, isRecord, type SessionEntry } from "@omp/session";
import { messageOf } from "./entry-kind.ts";

export interface FilesTouched {
  /** Without those that were changed as well. */
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

const MODIFYING: ReadonlySet<string> = new Set(["write", "edit"]);
const INTERNAL = /^[a-z]+:\/\//i;

export function filesTouched(
  entries: readonly SessionEntry[],
  previous: SessionEntry | undefined,
): FilesTouched {
  const before = previous ? filesIn(previous) : NONE;
  const read = new Set(before.readFiles);
  const modified = new Set(before.modifiedFiles);
  for (const entry of entries) {
    const message = messageOf(entry);
    if (message?.role !== "assistant") continue;
    for (const block of message.content) {
      if (block.type !== "toolCall") continue;
      const { path } = block.arguments;
      if (typeof path !== "string" || path === "" || INTERNAL.test(path)) continue;
      if (block.name === "read") read.add(path);
      else if (MODIFYING.has(block.name)) modified.add(path);
    }
  }
  return {
    readFiles: [...read].filter((path) => !modified.has(path)).sort(),
    modifiedFiles: [...modified].sort(),
  };
}

/** The blocks that a summary ends with. */
export function fileBlocks({ readFiles, modifiedFiles }: FilesTouched): string {
  return `${block("read-files", readFiles)}\n${block("modified-files", modifiedFiles)}`;
}

const NONE: FilesTouched = { readFiles: [], modifiedFiles: [] };

/** What an extension stored may mean anything. pi wrote `fromHook`. */
function filesIn(compaction: SessionEntry): FilesTouched {
  const { details, fromExtension, fromHook } = fieldsOf(compaction);
  if (fromExtension === true || fromHook === true || !isRecord(details)) return NONE;
  return { readFiles: texts(details.readFiles), modifiedFiles: texts(details.modifiedFiles) };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function block(tag: string, paths: readonly string[]): string {
  return [`<${tag}>`, ...paths, `</${tag}>`].join("\n");
}
