/** Everything in a repository that wants to run or to redirect, and how it stands with each. */

import type { TrustItem } from "@omp/agent";
import { dirname, join } from "node:path";
import { examine } from "./examine.ts";
import { canonicalPath, decisionOn, projectRoot } from "./folder.ts";
import { gitFolder } from "./git-config.ts";
import { gitRisks } from "./git-risks.ts";
import { listPieces } from "./listing.ts";
import { entriesOf, isFile } from "./look.ts";
import type { Piece, PieceSource } from "./piece.ts";
import type { Decisions } from "./store.ts";
import { isConsented, withChange, consentTo } from "./trust.ts";

export type ItemState = "trusted" | "new" | "changed";

export interface CollectedItem extends TrustItem {
  readonly state: ItemState;
  /** A trusted folder is all it takes. */
  readonly isByFolder: boolean;
}

const ownSources: readonly PieceSource[] = [
  async (folder) => listPieces(folder),
  async (folder) => environmentPieces(folder),
  async (folder) => gitPieces(folder),
];

/** Looks at the folder and those above it, up to the root of the repository. */
export async function trustItems(
  folder: string,
  decisions: Decisions,
  sources: readonly PieceSource[] = ownSources,
): Promise<readonly CollectedItem[]> {
  const start = canonicalPath(folder);
  const root = projectRoot(start);
  const isFolderTrusted = decisionOn(start, decisions)?.isTrusted ?? false;
  const found = await Promise.all(
    foldersUpTo(start, root).flatMap((at) => sources.map((source) => source(at))),
  );
  return found.flat().map((piece) => {
    const { item } = examine(piece, root);
    const isByFolder = piece.isByFolder ?? false;
    const isTrusted = isByFolder ? isFolderTrusted : isConsented(item, decisions);
    const known = withChange(item, consentTo(item, decisions));
    const state = isTrusted ? "trusted" : known.change === undefined ? "new" : "changed";
    return { ...known, isByFolder, state };
  });
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
