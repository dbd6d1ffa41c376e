/** The one gate before every tool call: applies the policy and asks the person where it says so. */

import type { GateDecision, GateRequest, ToolGate, UiPort } from "@omp/agent";
import type { ApprovalMode, ToolsSettings } from "../settings/schema/tools.ts";
import { decideToolCall } from "./policy.ts";

export interface GateDeps {
  readonly mode: ApprovalMode;
  readonly approval: ToolsSettings["approval"];
  readonly ui: UiPort;
  /** What to do about a refusal where nobody can be asked. */
  readonly refusalHint?: string;
}

export function createGate({ mode, approval, ui, refusalHint }: GateDeps): ToolGate {
  return {
    async decide(request) {
      switch (decideToolCall(request, mode, approval)) {
        case "allow":
          return { allowed: true };
        case "deny":
          return {
            allowed: false,
            reason: `Refused: the user's settings deny the tool ${request.toolName}.`,
          };
        case "ask":
          return ask(request, mode, ui, refusalHint);
      }
    },
  };
}

async function ask(
  request: GateRequest,
  mode: ApprovalMode,
  ui: UiPort,
  hint: string | undefined,
): Promise<GateDecision> {
  const subject = `${request.toolName} (${request.tier}) in approval mode ${mode}`;
  if (ui.absentBecause !== undefined) {
    return {
      allowed: false,
      reason: [`Refused: ${subject} needs the user's approval, and ${ui.absentBecause}`, hint]
        .filter(Boolean)
        .join(" "),
    };
  }
  const reply = await ui.request(
    {
      kind: "approve",
      title: `Allow tool: ${request.toolName}`,
      lines: JSON.stringify(request.input, null, 2).split("\n"),
    },
    request.signal,
  );
  if (reply?.kind === "approve" && reply.accepted) return { allowed: true };
  return { allowed: false, reason: `Refused: the user did not approve ${subject}.` };
}
