/** Looks at one piece that wants to run or to be obeyed: its fingerprint, and the very bytes it was taken from. */

import type { TrustItem } from "@omp/agent";
import { systemRandom } from "@omp/std";
import { basename, dirname, join, relative } from "node:path";
import { canonicalPath, isWithin } from "./folder.ts";
import { canonicalJson, contentHashOf, hashOf, type Parts } from "./fingerprint.ts";
import { filesOf, type FileBytes } from "./module-files.ts";
import type { Piece } from "./piece.ts";

export interface Examined {
  readonly item: TrustItem & { readonly parts: Parts };
  /** Whoever runs it uses these, never the file again: it may be another one by then. */
  readonly files: FileBytes;
  /** The fields that were consented to, of a piece that is data. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @param root canonical folder of the project */
export function examine(piece: Piece, root: string): Examined {
  const { kind, name, why } = piece;
  // A link is known by its own place; what it leads to is its content.
  const path = join(canonicalPath(dirname(piece.path)), basename(piece.path));
  const files: FileBytes = piece.fields === undefined ? filesOf(path, root) : new Map();
  const fields = piece.fields ?? {};
  const parts = piece.fields === undefined ? partsOfFiles(files, root) : partsOfFields(fields);
  const item = {
    kind,
    path,
    ...(name !== undefined && { name }),
    why,
    contentHash: contentHashOf(parts),
    parts,
  };
  return { item, files, fields };
}

function partsOfFiles(files: FileBytes, root: string): Parts {
  const parts = [...files].map(([path, bytes]) => [
    isWithin(path, root) ? relative(root, path) : path,
    typeof bytes === "string" ? standIn(bytes) : hashOf(bytes),
  ]);
  return Object.fromEntries(parts);
}

/** What cannot be read can never be the same as before; what is missing has changed when it comes. */
function standIn(state: "missing" | "unreadable"): string {
  return state === "missing" ? state : `${state} ${systemRandom.bytes(8).toHex()}`;
}

function partsOfFields(fields: Readonly<Record<string, unknown>>): Parts {
  const parts = Object.entries(fields).map(([name, value]) => [name, hashOf(canonicalJson(value))]);
  return Object.fromEntries(parts);
}
