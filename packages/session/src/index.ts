/** Sessions on disk and in memory. Named exports only. */

export type {
  EntryDraft,
  EntryFields,
  Fields,
  ForeignMessage,
  KnownEntry,
  SessionEntry,
  SessionHeader,
  StoredMessage,
  UnknownEntry,
} from "./entry.ts";
export { fieldsOf, isRecord, SESSION_VERSION } from "./entry.ts";
export {
  artifactFolder,
  ArtifactStore,
  copyArtifacts,
  numberedArtifacts,
  type ReservedArtifact,
} from "./artifacts.ts";
export { BlobStore, isBlobReference } from "./blobs.ts";
export { choicesOf, type Choices } from "./choices.ts";
export { contextOf, type BranchContext } from "./context.ts";
export { SessionFile, type FileStart } from "./file.ts";
export {
  readBreadcrumb,
  terminalDevice,
  terminalId,
  writeBreadcrumb,
  type Breadcrumb,
} from "./breadcrumb.ts";
export { findSessionFiles, projectFolders, type FoundFile } from "./found-file.ts";
export type { SessionHead } from "./head.ts";
export { PromptHistory, type RememberedPrompt, type TypedPrompt } from "./history.ts";
export { openSessionIndex, type SearchHit, type SessionIndex } from "./search.ts";
export { entryText } from "./entry-text.ts";
export { phrasesOf, wordsOf } from "./tokens.ts";
export { checkSession, repairSession, type FileCheck, type FileRepair } from "./check.ts";
export { findWaste, removeWaste, type Collection, type Waste, type WasteKind } from "./collect.ts";
export { deleteSession } from "./delete.ts";
export { describeSession, type SaidEntry, type SessionDescription } from "./describe.ts";
export { noteOutsideFolder, outsideFolders } from "./outside.ts";
export { listSessions, newestSession, recentSessions, type RecentSession } from "./list.ts";
export {
  isSameFolder,
  sessionFileName,
  sessionFolder,
  sessionFolders,
  type SessionPlace,
} from "./location.ts";
export { resolveSession, type ResolvedSession, type SessionScope } from "./resolve.ts";
export {
  SessionLog,
  type BranchSummary,
  type NewSession,
  type SessionTarget,
  type StoredSession,
} from "./log.ts";
export { readOnlyError, type SessionAccess } from "./ownership.ts";
export type { ParsedSession } from "./parse.ts";
export type { LineProblem } from "./problem.ts";
export { CUT_MARK, MAX_PERSISTED_CHARACTERS, persistedEntry, restoredEntry } from "./persisted.ts";
export { pruneMark, prunedBy, prunedTokens } from "./pruned.ts";
export { readSessionFile, type ReadSession } from "./read.ts";
export { asMessage } from "./stored-message.ts";
export type { SessionStatus, SessionSummary } from "./summary.ts";
export { branchOf, indexById, treeOf, type EntryIndex, type TreeNode } from "./tree.ts";
