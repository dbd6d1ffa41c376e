/** Doors to the world: processes, shells, files. Plain data out, no knowledge of agents. */

export { isArchiveName } from "./archives/archive-name.ts";
export type { ArchiveListing, ArchiveMemberRequest, Archives } from "./archives/archives.ts";
export type { Member } from "./archives/member.ts";
export { documentKind, type DocumentKind } from "./documents/document-kind.ts";
export type { Documents } from "./documents/documents.ts";
export { fileError, HostError, type HostErrorKind } from "./errors.ts";
export {
  createFiles,
  type DirectoryEntry,
  type FileKind,
  type Files,
  type FilesOptions,
  type FileStat,
} from "./files/files.ts";
export { ignoreList, type IgnoreList } from "./files/ignore-list.ts";
export type { LineRange, Lines } from "./files/lines.ts";
export { createScans, type Scan, type ScanRequest, type Scans } from "./files/scan-cache.ts";
export { WalkTimeout, type Found, type FoundKind, type WalkRequest } from "./files/walk.ts";
export type { ChangeHooks, FileChange, WriteOptions, WriteReport } from "./files/write.ts";
export {
  createOutputSink,
  DEFAULT_OUTPUT_LIMITS,
  type OutputLimits,
  type OutputSink,
  type OutputSinkOptions,
  type OutputSummary,
} from "./output/output-sink.ts";
export { spillInto, type Spill, type SpillPlace } from "./output/spill.ts";
export type { ChildProcess, ProcessEnd, SpawnRequest } from "./process/child.ts";
export { createProcesses, type Processes, type ProcessesOptions } from "./process/processes.ts";
export { ripgrepProgram, type RipgrepOptions } from "./search/program.ts";
export { createRipgrep, type Ripgrep } from "./search/ripgrep.ts";
export {
  createSearch,
  SearchTimeout,
  type Around,
  type FileMatches,
  type Match,
  type ReadQuery,
  type Scope,
  type Search,
  type SearchLimits,
} from "./search/search.ts";
export { childEnvironment, type ChildEnvironmentOptions } from "./shell/environment.ts";
export {
  createShell,
  type Shell,
  type ShellOptions,
  type ShellResult,
  type ShellRunOptions,
} from "./shell/shell.ts";
export { createSources, type Sources, type SourcesOptions } from "./sources.ts";
export type { Databases, QueryResult, Statement } from "./sqlite/databases.ts";
export { decodePage } from "./web/decode.ts";
export type { Resolve } from "./web/target.ts";
export type { Web, WebRequest, WebResponse } from "./web/web.ts";
