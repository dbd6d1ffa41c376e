/** The tools a model can call. */

export { inDialect, tools } from "./registry.ts";
export { EDIT_MODES, payloadSign, type Editing, type EditMode } from "./shared/editing.ts";
export type { Hosts } from "./shared/hosts.ts";
export { createNoOps, type NoOps } from "./shared/no-ops.ts";
export { createSnapshots, type SnapshotLimits, type Snapshots } from "./shared/snapshots.ts";
export { sideOf, SIDES } from "./shared/conflict-regions.ts";
export { createConflicts, regionIn, type Conflict, type Conflicts } from "./shared/conflicts.ts";
export { createPages } from "./shared/pages.ts";
export type { PictureFacts, Pictures, ShownPicture } from "./shared/pictures.ts";
export type { Fold, Outline, Reading } from "./shared/reading.ts";
