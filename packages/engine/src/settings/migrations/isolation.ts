/** `task.isolation` was a switch, then had other names for its modes. */

import type { Migration } from "./migration.ts";

export const isolationSwitch: Migration = {
  from: "task.isolation.enabled",
  migrate: (value) =>
    typeof value === "boolean" ? { "task.isolation.mode": value ? "worktree" : "none" } : undefined,
};

const OLD_MODES: Readonly<Record<string, string>> = {
  off: "none",
  false: "none",
  true: "worktree",
  auto: "worktree",
  git: "worktree",
  "git-worktree": "worktree",
  overlay: "fuse-overlay",
  fuse: "fuse-overlay",
  overlayfs: "fuse-overlay",
  "fuse-overlayfs": "fuse-overlay",
  projfs: "fuse-projfs",
};

export const isolationMode: Migration = {
  from: "task.isolation.mode",
  migrate(value) {
    const mode = Object.hasOwn(OLD_MODES, String(value)) ? OLD_MODES[String(value)] : undefined;
    return mode === undefined ? undefined : { "task.isolation.mode": mode };
  },
};
