/** A directory as a tree of two levels, the newest first. */

import { textOutput, ToolFailure, type ToolOutput } from "@omp/agent";
import type { DirectoryEntry, Files } from "@omp/host";
import { systemClock } from "@omp/std";
import { join } from "node:path";
import { orUnreadable } from "../shared/failure.ts";
import { pageDetails, type ReadDetails } from "./details.ts";
import { textLines } from "./lines.ts";
import { renderPage } from "./page.ts";
import { ageOf, sizeOf } from "./quantity.ts";
import type { Target } from "./target.ts";

const MAX_CHILDREN = 12;
const MAX_SHOWN = 1000;
/** More are listed by name: looking at each takes too long. */
const MAX_LOOKED_AT = 5000;

interface Item {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly size: number;
  readonly modifiedMs: number;
}

export async function readDirectory(
  { path, selector, source }: Target,
  files: Files,
): Promise<ToolOutput<ReadDetails>> {
  if (selector.spans.length > 1) {
    throw new ToolFailure("A directory listing takes one range of lines, not several.");
  }
  const lines = await treeOf(path, files);
  const about = { kind: "file", isDirectory: true, resolvedPath: path } as const;
  if (lines.length === 0) return textOutput("(empty directory)", { ...about, meta: { source } });
  const exact = { ...selector, isRaw: true };
  const style = { defaultLimit: MAX_SHOWN, maxColumns: 0, isNumbered: false };
  const page = await renderPage(exact, textLines(lines.join("\n")), style);
  const details = pageDetails(page, source);
  const limits = page.shown?.nextLine ? { shown: page.shown.to, total: lines.length } : undefined;
  return textOutput(page.text, {
    ...about,
    ...details,
    meta: { ...details.meta, ...(limits && { limits }) },
  });
}

async function treeOf(root: string, files: Files): Promise<readonly string[]> {
  const now = systemClock.now();
  const lines: string[] = [];
  for (const item of await itemsIn(root, files)) {
    lines.push(lineOf(item, now));
    if (!item.isDirectory) continue;
    const children = await itemsIn(join(root, item.name), files);
    for (const child of shortened(children.map((found) => lineOf(found, now)))) {
      lines.push(`  ${child}`);
    }
  }
  return lines;
}

/** The oldest one stays: it shows how far back the rest goes. */
function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_CHILDREN) return lines;
  const hidden = lines.length - MAX_CHILDREN;
  return [...lines.slice(0, MAX_CHILDREN - 1), `- … ${hidden} more`, lines.at(-1)!];
}

function lineOf({ name, isDirectory, size, modifiedMs }: Item, now: number): string {
  const age = ageOf(now - modifiedMs);
  return isDirectory ? `- ${name}/  ${age}` : `- ${name}  ${sizeOf(size)}  ${age}`;
}

/** The newest first; what cannot be looked at is left out. */
async function itemsIn(folder: string, files: Files): Promise<readonly Item[]> {
  const entries = (await orUnreadable(files.list(folder))) ?? [];
  if (entries.length > MAX_LOOKED_AT) return entries.map(unknownItem);
  const items = await Promise.all(entries.map((entry) => itemOf(folder, entry, files)));
  return items.toSorted((a, b) => b.modifiedMs - a.modifiedMs || (a.name < b.name ? -1 : 1));
}

async function itemOf(folder: string, entry: DirectoryEntry, files: Files): Promise<Item> {
  // A link may lead nowhere.
  const stat = await orUnreadable(files.stat(join(folder, entry.name)));
  if (!stat) return unknownItem(entry);
  const { kind, size, modifiedMs } = stat;
  // A link to a folder is not entered: it may lead back.
  const isDirectory = kind === "directory" && entry.kind === "directory";
  return { name: entry.name, isDirectory, size, modifiedMs };
}

function unknownItem({ name, kind }: DirectoryEntry): Item {
  return { name, isDirectory: kind === "directory", size: 0, modifiedMs: 0 };
}
