/** Whether a tool call may run: a pure decision over its tier, the mode and the person's policy. */

import type { Tier } from "@omp/agent";
import type { ApprovalMode, ToolsSettings } from "../settings/schema/tools.ts";

export type Verdict = "allow" | "ask" | "deny";

const UNASKED: Readonly<Record<ApprovalMode, readonly Tier[]>> = {
  "always-ask": ["read"],
  write: ["read", "write"],
  yolo: ["read", "write", "exec"],
};

const POLICIES: Readonly<Record<string, Verdict>> = { allow: "allow", deny: "deny", prompt: "ask" };

export function decideToolCall(
  call: { readonly toolName: string; readonly tier: Tier },
  mode: ApprovalMode,
  approval: ToolsSettings["approval"],
): Verdict {
  const policy = POLICIES[approval[call.toolName] ?? ""];
  if (policy) return policy;
  return UNASKED[mode].includes(call.tier) ? "allow" : "ask";
}
