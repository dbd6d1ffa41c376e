/** Whole texts that the model was shown, by path and tag: what an edit is checked against. */

import { sameContent } from "./same-content.ts";

/** Lives as long as its session. Paths are absolute. */
export interface Snapshots {
  /** Keeps the whole text of a file, however little of it is shown, and gives its tag. */
  record(path: string, text: string): string;
  /** The text that the tag stands for; undefined when it was never given or is no longer kept. */
  find(path: string, tag: string): string | undefined;
  /** The kept texts of a path, newest first. */
  versions(path: string): readonly string[];
  /** Whether the tag was given for this very content. True also for a text that is no longer kept. */
  isOf(path: string, tag: string, text: string): boolean;
  /** The file is gone, or another one now. */
  forget(path: string): void;
}

export interface SnapshotLimits {
  readonly maxPaths?: number;
  /** Of all kept texts together, in UTF-16 units. */
  readonly maxTotal?: number;
  /** A longer text gets a tag and is not kept. */
  readonly maxText?: number;
  /** The first choice of a tag for a content: four hexadecimal digits. */
  readonly hash?: (content: string) => string;
}

const VERSIONS = 4;
const MAX_PATHS = 1000;
const MAX_TOTAL = 64 * 1024 * 1024;
const MAX_TEXT = 4 * 1024 * 1024;
const TAGS = 0x10000;

interface Version {
  readonly tag: string;
  readonly text: string;
}

export function createSnapshots({
  maxPaths = MAX_PATHS,
  maxTotal = MAX_TOTAL,
  maxText = MAX_TEXT,
  hash,
}: SnapshotLimits = {}): Snapshots {
  /** Least recently used first; the versions of a path likewise. */
  const kept = new Map<string, Version[]>();
  /** Which content a tag was given for: a tag must never change its meaning. Digests are small, so all stay. */
  const given = new Map<string, Map<string, string>>();
  let total = 0;

  const drop = (versions: readonly Version[] = []) => {
    for (const { text } of versions) total -= text.length;
  };
  const forget = (path: string) => {
    drop(kept.get(path));
    kept.delete(path);
  };
  const keep = (path: string, version: Version) => {
    const versions = kept.get(path) ?? [];
    drop(versions.filter(({ tag }) => tag === version.tag));
    const others = versions.filter(({ tag }) => tag !== version.tag);
    const recent = [...others, version].slice(-VERSIONS);
    drop(others.slice(0, others.length + 1 - recent.length));
    total += version.text.length;
    kept.delete(path);
    kept.set(path, recent);
    for (const [oldest] of kept) {
      if (oldest === path || (kept.size <= maxPaths && total <= maxTotal)) break;
      forget(oldest);
    }
  };

  return {
    record(path, text) {
      const content = sameContent(text);
      const tags = given.get(path) ?? new Map<string, string>();
      given.set(path, tags);
      const digest = digestOf(content);
      const tag = freeTag(tags, hash?.(content) ?? digest.slice(0, 4), digest);
      if (text.length <= maxText) keep(path, { tag, text });
      return tag;
    },
    find(path, tag) {
      const versions = kept.get(path);
      if (!versions) return undefined;
      kept.delete(path);
      kept.set(path, versions);
      return versions.find((version) => version.tag === tag)?.text;
    },
    versions: (path) =>
      kept
        .get(path)
        ?.map(({ text }) => text)
        .reverse() ?? [],
    isOf: (path, tag, text) => given.get(path)?.get(tag) === digestOf(sameContent(text)),
    forget,
  };
}

/** The wished tag, or the next one where the wished one already means something else here. */
function freeTag(tags: Map<string, string>, wish: string, digest: string): string {
  let tag = wish;
  for (let tries = 0; tries < TAGS; tries++) {
    const taken = tags.get(tag);
    if (taken === undefined || taken === digest) break;
    tag = ((Number.parseInt(tag, 16) + 1) % TAGS).toString(16).toUpperCase().padStart(4, "0");
  }
  tags.set(tag, digest);
  return tag;
}

function digestOf(content: string): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex").slice(0, 32).toUpperCase();
}
