/** Doors to the world: processes, shells, files. Plain data out, no knowledge of agents. */

export { fileError, HostError, type HostErrorKind } from "./errors.ts";
export {
  createFiles,
  type DirectoryEntry,
  type FileKind,
  type Files,
  type FilesOptions,
  type FileStat,
} from "./files/files.ts";
export type { LineRange, Lines } from "./files/lines.ts";
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
export { childEnvironment, type ChildEnvironmentOptions } from "./shell/environment.ts";
export {
  createShell,
  type Shell,
  type ShellOptions,
  type ShellResult,
  type ShellRunOptions,
} from "./shell/shell.ts";
