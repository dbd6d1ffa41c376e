/** The tools a model can call. */

export { tools } from "./registry.ts";
export { EDIT_MODES, payloadSign, type Editing, type EditMode } from "./shared/editing.ts";
export type { Hosts } from "./shared/hosts.ts";
export { createNoOps, type NoOps } from "./shared/no-ops.ts";
export { createSnapshots, type SnapshotLimits, type Snapshots } from "./shared/snapshots.ts";
