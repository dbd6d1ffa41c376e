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
export { fieldsOf, SESSION_VERSION } from "./entry.ts";
export { BlobStore, isBlobReference } from "./blobs.ts";
export type { Choices } from "./choices.ts";
export { contextOf, type BranchContext } from "./context.ts";
export { SessionFile, type FileStart } from "./file.ts";
export { latestSession } from "./list.ts";
export { sessionFileName, sessionFolder, type SessionPlace } from "./location.ts";
export { SessionLog, type NewSession, type StoredSession } from "./log.ts";
export type { LineProblem, ParsedSession } from "./parse.ts";
export { CUT_MARK, MAX_PERSISTED_CHARACTERS, persistedEntry, restoredEntry } from "./persisted.ts";
export { readSessionFile, type ReadSession } from "./read.ts";
export type { SessionStatus, SessionSummary } from "./summary.ts";
export { branchOf, indexById, treeOf, type EntryIndex, type TreeNode } from "./tree.ts";
