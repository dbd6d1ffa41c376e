/** Headers and entries as the lines they become. */

import { uuidV7, type Clock, type Random } from "@omp/std";
import type { BlobStore } from "./blobs.ts";
import { SESSION_VERSION, type SessionEntry, type SessionHeader } from "./entry.ts";
import { persistedEntry } from "./persisted.ts";
import { titleSlot } from "./title-slot.ts";

/** The recordable doors that a log takes its times and ids from, and the store for its pictures. */
export interface Doors {
  readonly clock: Clock;
  readonly random: Random;
  /** Without one, pictures stay in the lines. */
  readonly blobs?: BlobStore;
}

export function newHeader(
  cwd: string,
  { clock, random }: Doors,
  parentSession?: string,
): SessionHeader {
  const timestamp = new Date(clock.now()).toISOString();
  const id = uuidV7(clock, random);
  const header = { type: "session", version: SESSION_VERSION, id, timestamp, cwd } as const;
  return parentSession === undefined ? header : { ...header, parentSession };
}

/** Title slot and header. */
export function headOf(header: SessionHeader): string {
  const { title = "", titleSource, timestamp } = header;
  const slot = titleSlot({ title, ...(titleSource && { source: titleSource }) }, timestamp);
  return `${slot}${JSON.stringify(header)}\n`;
}

export function lineOf(entry: SessionEntry, blobs: BlobStore | undefined): string {
  return `${JSON.stringify(blobs ? persistedEntry(entry, blobs) : entry)}\n`;
}
