/** Flags that choose the session and the folder. */

import type { Flag } from "../flag.ts";

export const sessionFlags: readonly Flag[] = [
  {
    name: "continue",
    short: "c",
    category: "Session",
    help: "Go on with the newest session of this folder",
    apply: (invocation) => void (invocation.isContinue = true),
  },
  {
    name: "no-session",
    category: "Session",
    help: "Keep the session in memory only",
    apply: (invocation) => void (invocation.isInMemory = true),
  },
  {
    name: "session-dir",
    value: "<folder>",
    category: "Session",
    help: "Store and look up sessions in this folder only",
    apply: (invocation, value) => void (invocation.sessionDir = value),
  },
  {
    name: "cwd",
    value: "<folder>",
    category: "Session",
    help: "Work in this folder instead of the current one",
    apply: (invocation, value) => void (invocation.cwd = value),
  },
];
