/** The context files in the order the model reads them, with what they import. */

import type { ContextFile, Discovered, Warning } from "../discovery/item.ts";
import type { Look } from "../discovery/look.ts";
import { expandImports } from "./imports.ts";

/** A file that is larger is used, and said to be expensive. */
const LARGE_BYTES = 64 * 1024;

export interface ContextFiles {
  readonly files: readonly ContextFile[];
  readonly warnings: readonly Warning[];
}

/** The farthest folder first, the nearest later, the person's own last; copies once. */
export function contextFiles(
  { items, warnings }: Discovered<ContextFile>,
  look: Look,
): ContextFiles {
  const said: Warning[] = [...warnings];
  const files = items.toSorted(byDistance).map((file) => {
    const text = expandImports(file.text, file.path, {
      home: look.place.home,
      read: (path) => look.text(path, file.level === "project" ? file.folder : undefined),
      warn: (place, text) => void said.push({ place, text }),
    });
    const bytes = Buffer.byteLength(text);
    if (bytes > LARGE_BYTES) {
      const size = Math.round(bytes / 1024);
      said.push({ place: file.path, text: `${size} KiB of context are sent with every request` });
    }
    return { ...file, text };
  });
  const texts = new Set<string>();
  const different = files.filter(({ text }) => texts.size < texts.add(text).size);
  return { files: different, warnings: said };
}

/** Folders of one chain: the shorter path is the farther one. */
function byDistance(a: ContextFile, b: ContextFile): number {
  if (a.level !== b.level) return a.level === "user" ? 1 : -1;
  return a.folder.length - b.folder.length;
}
