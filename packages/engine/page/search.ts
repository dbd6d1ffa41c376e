/** Looks for words in all of a session, and marks them where they are shown. */

import { searchable, type Entry } from "./session.ts";

/** Matches without regard to case; undefined for nothing to look for. */
export function patternOf(words: string): RegExp | undefined {
  const wanted = words.trim();
  if (wanted === "") return undefined;
  return new RegExp(
    wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\s+/g, "\\s+"),
    "gi",
  );
}

export function matches(entry: Entry, pattern: RegExp): boolean {
  for (const piece of searchable(entry)) {
    pattern.lastIndex = 0;
    if (pattern.test(piece)) return true;
  }
  return false;
}

const NAME = "found";

/** Marks are laid over the text by the browser: no node changes, so nothing can break. */
export function markMatches(root: HTMLElement, pattern: RegExp | undefined): void {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete(NAME);
  if (!pattern) return;
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent ?? "";
    for (const match of words.matchAll(pattern)) {
      const range = new Range();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      ranges.push(range);
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
}
