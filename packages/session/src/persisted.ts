/** Entries as they stand in a file: pictures as references, nothing huge, nothing transient. The live ones stay as they are. */

import { log, messageOf } from "@omp/std";
import { isBlobReference, type BlobStore } from "./blobs.ts";
import { isRecord, type Fields, type SessionEntry } from "./entry.ts";

export const MAX_PERSISTED_CHARACTERS = 500_000;
export const CUT_MARK = "[Session persistence truncated large content]";
const CUT_ENDING = `\n\n${CUT_MARK}`;
/** Below this a picture takes less room in the line than the trouble of a file. */
const MIN_BLOB_CHARACTERS = 1024;
/** Nothing that omp writes is deeper. What is goes to the file as it is. */
const MAX_DEPTH = 64;

const TRANSIENT: ReadonlySet<string> = new Set(["partialJson", "jsonlEvents"]);
/** Proofs of a provider: one that is cut is worth nothing. */
const SIGNATURES: ReadonlySet<string> = new Set([
  "thinkingSignature",
  "thoughtSignature",
  "textSignature",
  "encrypted_content",
]);

/** What a walk does at the places that matter. Each gives back its argument where nothing changes. */
interface Change {
  text(text: string, field: string): string;
  /** `data` of an image block. */
  imageData(data: string): string;
  imageUrl(url: string): string;
  /** Whether a field of this name is left out. */
  drops(field: string): boolean;
}

/** The same object unless something in it must change for the file. */
export function persistedEntry(entry: SessionEntry, blobs: BlobStore): SessionEntry {
  return walk(entry, "", { ...TO_FILE, ...imagesTo(blobs) }, 0) as SessionEntry;
}

/** The same object unless it names blobs. A blob that is gone leaves its reference: no model is sent it. */
export function restoredEntry(entry: SessionEntry, blobs: BlobStore): SessionEntry {
  return walk(entry, "", { ...FROM_FILE, ...imagesFrom(blobs) }, 0) as SessionEntry;
}

const TO_FILE = {
  text: (text: string, field: string) => (SIGNATURES.has(field) ? text : cut(text)),
  drops: (field: string) => TRANSIENT.has(field),
};

const FROM_FILE = { text: (text: string) => text, drops: () => false };

function imagesTo(blobs: BlobStore): Pick<Change, "imageData" | "imageUrl"> {
  return {
    imageData(data) {
      if (data.length < MIN_BLOB_CHARACTERS || isBlobReference(data)) return data;
      const bytes = Buffer.from(data, "base64");
      // What is not base64 could not be given back as it was.
      const isBase64 = Math.ceil(bytes.length / 3) * 4 === data.length;
      return isBase64 ? kept(bytes, data, blobs) : data;
    },
    imageUrl: (url) => (isImageUrl(url) ? kept(Buffer.from(url), url, blobs) : cut(url)),
  };
}

/** A store that cannot be written to costs room in the session file, never the picture. */
function kept(bytes: Uint8Array, inline: string, blobs: BlobStore): string {
  try {
    return blobs.put(bytes);
  } catch (error) {
    log.warn("blob-not-written", { folder: blobs.folder, reason: messageOf(error) });
    return inline;
  }
}

function imagesFrom(blobs: BlobStore): Pick<Change, "imageData" | "imageUrl"> {
  return {
    imageData: (data) => (isBlobReference(data) ? (blobs.get(data)?.toBase64() ?? data) : data),
    imageUrl(url) {
      const bytes = isBlobReference(url) ? blobs.get(url) : undefined;
      return bytes ? new TextDecoder().decode(bytes) : url;
    },
  };
}

function isImageUrl(url: string): boolean {
  return url.startsWith("data:image/") && url.includes(";base64,");
}

/** Nothing is copied on the way to a value that changes nothing. */
function walk(value: unknown, field: string, change: Change, depth: number): unknown {
  if (typeof value === "string") {
    return field === "image_url" ? change.imageUrl(value) : change.text(value, field);
  }
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return walkItems(value, field, change, depth);
  return isRecord(value) ? walkFields(value, field, change, depth) : value;
}

function walkItems(items: unknown[], field: string, change: Change, depth: number): unknown[] {
  let changed: unknown[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    const next = isImageBlock(item)
      ? withImage(item, change)
      : walk(item, field, change, depth + 1);
    if (next !== item) (changed ??= [...items])[at] = next;
  }
  return changed ?? items;
}

function walkFields(fields: Fields, field: string, change: Change, depth: number): Fields {
  let changed: Record<string, unknown> | undefined;
  for (const name in fields) {
    // A model may name the fields of its own arguments as it likes.
    if (field !== "arguments" && change.drops(name)) {
      delete (changed ??= { ...fields })[name];
      continue;
    }
    const value = fields[name];
    if (typeof value !== "string" && typeof value !== "object") continue;
    // Some protocols wrap the address: { image_url: { url } }.
    const role = field === "image_url" && name === "url" ? field : name;
    const next = walk(value, role, change, depth + 1);
    if (next !== value) (changed ??= { ...fields })[name] = next;
  }
  return changed ? withLineCount(changed, fields) : fields;
}

/** A count beside a text that was cut must count what is left. */
function withLineCount(changed: Record<string, unknown>, before: Fields): Fields {
  const { content, lineCount } = changed;
  if (typeof lineCount !== "number" || typeof content !== "string" || content === before.content)
    return changed;
  return { ...changed, lineCount: content.split("\n").length };
}

function isImageBlock(item: unknown): item is Fields & { readonly data: string } {
  return isRecord(item) && item.type === "image" && typeof item.data === "string";
}

function withImage(block: Fields & { readonly data: string }, change: Change): Fields {
  const data = change.imageData(block.data);
  return data === block.data ? block : { ...block, data };
}

/** Cut again, a text stays as it is; no character is split. */
function cut(text: string): string {
  if (text.length <= MAX_PERSISTED_CHARACTERS) return text;
  const end = MAX_PERSISTED_CHARACTERS - CUT_ENDING.length;
  const splitsPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return text.slice(0, splitsPair ? end - 1 : end) + CUT_ENDING;
}
