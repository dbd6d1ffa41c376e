/** Flags that choose what the model may use, and what it may do unasked. */

import { UserError } from "@omp/std";
import type { Flag } from "../flag.ts";

const APPROVAL_MODES = ["always-ask", "write", "yolo"];

export const toolFlags: readonly Flag[] = [
  {
    name: "tools",
    value: "<a,b,...>",
    category: "Tools",
    help: "Offer only these tools",
    apply: (invocation, value) => {
      invocation.tools = value
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
    },
  },
  {
    name: "no-tools",
    category: "Tools",
    help: "Offer no tools",
    apply: (invocation) => void (invocation.tools = []),
  },
  {
    name: "no-lsp",
    category: "Tools",
    help: "Start no language servers",
    apply: (invocation) => void (invocation.settings["lsp.enabled"] = false),
  },
  {
    name: "no-pty",
    category: "Tools",
    help: "Never run a command in a terminal of its own (also PI_NO_PTY=1)",
    apply: (invocation) => void (invocation.variables["PI_NO_PTY"] = "1"),
  },
  {
    name: "approval-mode",
    value: `<${APPROVAL_MODES.join("|")}>`,
    choices: APPROVAL_MODES,
    category: "Tools",
    help: "What runs without asking: reading only, also writing files, or everything",
    apply: (invocation, value) => {
      if (!APPROVAL_MODES.includes(value)) {
        throw new UserError(
          "usage",
          `--approval-mode must be one of ${APPROVAL_MODES.join(", ")}, not "${value}"`,
        );
      }
      invocation.settings["tools.approvalMode"] = value;
    },
  },
  {
    name: "yolo",
    aliases: ["auto-approve"],
    category: "Tools",
    help: "Run every tool without asking, for this run only",
    apply: (invocation) => void (invocation.settings["tools.approvalMode"] = "yolo"),
  },
  {
    name: "trust",
    category: "Tools",
    help: "Trust this folder and what its project wants to run, for this run only",
    apply: (invocation) => void (invocation.isTrusting = true),
  },
];
