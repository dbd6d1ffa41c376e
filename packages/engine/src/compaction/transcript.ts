/** Entries as text for a summary, the newest that fit, and which those are. Pure. */

import type { SessionEntry } from "@omp/session";
import { BYTES_PER_TOKEN, tell } from "../sessions/transcript.ts";
import { boundedText } from "@omp/std";
import { messageOf } from "./entry-kind.ts";

export interface Transcript {
  readonly text: string;
  /** Entries that are told of. */
  readonly used: ReadonlySet<string>;
}

const SEPARATOR = "\n\n";

export function transcriptOf(entries: readonly SessionEntry[], maxTokens: number): Transcript {
  let room = Math.max(0, maxTokens * BYTES_PER_TOKEN);
  const told: string[] = [];
  const used = new Set<string>();
  for (const entry of entries.toReversed()) {
    const message = messageOf(entry);
    if (!message) continue;
    const text = tell(message);
    const bytes = Buffer.byteLength(text) + SEPARATOR.length;
    const isCut = bytes > room;
    // Of one that is too long by itself, its beginning and end are better than nothing.
    if (!isCut || told.length === 0) {
      told.push(isCut ? boundedText(text, { maxBytes: room, keep: "both" }).text : text);
      used.add(entry.id);
    }
    if (isCut) break;
    room -= bytes;
  }
  return { text: told.reverse().join(SEPARATOR), used };
}
