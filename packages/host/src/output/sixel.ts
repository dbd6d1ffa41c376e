/** The sanitizer for output that may hold SIXEL pictures: those pass, everything else is cleaned as always. */

import { createSanitizer, type Sanitizer } from "@omp/std";

const OPENING = /\x1bP[0-9;]{0,32}q/;
/** What could become an opening with the next characters. */
const PART_OF_OPENING = /\x1b(?:P[0-9;]{0,32})?$/;
/** Pictures are printable ASCII and line ends; whatever else comes ends them. */
const NOT_PICTURE = /[^\x20-\x7e\r\n]/;
const CLOSING = "\x1b\\";

export function createSixelSanitizer(): Sanitizer {
  const sanitizer = createSanitizer();
  let isPicture = false;
  let held = "";

  /** The part of the text that is decided, and the rest. */
  const step = (text: string): { out: string; rest: string } | undefined => {
    if (!isPicture) {
      const opening = OPENING.exec(text);
      if (!opening) return undefined;
      isPicture = true;
      const out = sanitizer.push(text.slice(0, opening.index)) + opening[0];
      return { out, rest: text.slice(opening.index + opening[0].length) };
    }
    const end = text.search(NOT_PICTURE);
    if (end < 0 || text.slice(end) === "\x1b") return undefined;
    isPicture = false;
    // A picture that breaks off is closed all the same, or it would swallow what follows.
    const rest = text.slice(text.startsWith(CLOSING, end) ? end + CLOSING.length : end);
    return { out: text.slice(0, end) + CLOSING, rest };
  };

  return {
    push(chunk) {
      let text = held + chunk;
      let out = "";
      for (let next = step(text); next; next = step(text)) {
        out += next.out;
        text = next.rest;
      }
      const kept = isPicture
        ? Number(text.endsWith("\x1b"))
        : (PART_OF_OPENING.exec(text)?.[0].length ?? 0);
      const decided = text.slice(0, text.length - kept);
      held = text.slice(text.length - kept);
      return out + (isPicture ? decided : sanitizer.push(decided));
    },
    end: () => (isPicture ? CLOSING : sanitizer.push(held)) + sanitizer.end(),
  };
}
