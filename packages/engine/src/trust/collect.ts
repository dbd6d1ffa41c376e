/** Everything in a repository that wants to run or to redirect, and how it stands with each. */

import type { TrustItem } from "@omp/agent";
import { dirname, join } from "node:path";
import { discoveredPieces } from "./discovered.ts";
import { examine } from "./examine.ts";
import { canonicalPath, decisionOn, projectRoot } from "./folder.ts";
import { gitFolder } from "./git-config.ts";
import { gitRisks } from "./git-risks.ts";
import { listPieces } from "./listing.ts";
import { entriesOf, isFile } from "./look.ts";
import type { Piece, PieceSource, TrustPlace } from "./piece.ts";
import type { Decisions } from "./store.ts";
import { isConsented, withChange, consentTo } from "./trust.ts";

export type ItemState = "trusted" | "new" | "changed";

export interface CollectedItem extends TrustItem {
  readonly state: ItemState;
  /** A trusted folder is all it takes. */
  readonly isByFolder: boolean;
}

const allSources: readonly PieceSource[] = [
  (folders) => folders.flatMap(listPieces),
  discoveredPieces,
  (folders) => folders.flatMap(environmentPieces),
  (folders) => folders.flatMap(gitPieces),
];

/** Looks at the folder and those above it, up to the root of the repository. */
export function trustItems(
  place: TrustPlace,
  decisions: Decisions,
  sources: readonly PieceSource[] = allSources,
): readonly CollectedItem[] {
  const cwd = canonicalPath(place.cwd);
  const root = projectRoot(cwd);
  const isFolderTrusted = decisionOn(cwd, decisions)?.isTrusted ?? false;
  const folders = foldersUpTo(cwd, root);
  const found = sources.flatMap((source) => source(folders, { ...place, cwd }));
  return withoutTwins(found).map((piece) => {
    const { item } = examine(piece, root);
    const isByFolder = piece.isByFolder ?? false;
    const isTrusted = isByFolder ? isFolderTrusted : isConsented(item, decisions);
    const known = withChange(item, consentTo(item, decisions));
    const state = isTrusted ? "trusted" : known.change === undefined ? "new" : "changed";
    return { ...known, isByFolder, state };
  });
}

/** Several sources may know a place; the first says why. */
function withoutTwins(pieces: readonly Piece[]): readonly Piece[] {
  const byKey = new Map<string, Piece>();
  for (const piece of pieces) {
    const key = JSON.stringify([piece.kind, piece.path, piece.name ?? null]);
    if (!byKey.has(key)) byKey.set(key, piece);
  }
  return [...byKey.values()];
}

function foldersUpTo(folder: string, root: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== root; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

function environmentPieces(folder: string): Piece[] {
  const path = join(folder, ".env");
  if (!isFile(path)) return [];
  return [{ kind: "env", path, why: "sets variables for omp", isByFolder: true }];
}

function gitPieces(folder: string): Piece[] {
  const settings = gitRisks(folder).map(({ key, value, file, why }) => ({
    kind: "git",
    path: file,
    name: key,
    why,
    fields: { [key]: value },
    isByFolder: true,
  }));
  return [...settings, ...gitHooks(folder)];
}

function gitHooks(folder: string): Piece[] {
  const git = gitFolder(folder);
  if (git === undefined) return [];
  const why = "runs with git commands";
  return entriesOf(join(git, "hooks"))
    .filter(({ name }) => !name.endsWith(".sample"))
    .map(({ parentPath, name }) => ({
      kind: "git",
      path: join(parentPath, name),
      why,
      isByFolder: true,
    }));
}
