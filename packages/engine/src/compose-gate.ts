/** The permission gate of the folder that the session works in. */

import type { ToolGate, Trust, UiPort } from "@omp/agent";
import { realpathSync } from "node:fs";
import { createGate } from "./permission/gate.ts";
import type { Workplace } from "./sessions/workplace.ts";
import { toolsArea } from "./settings/schema/tools.ts";
import type { SettingsStore } from "./settings/store.ts";
import { UNTRUSTED_FOLDER } from "./trust/texts.ts";

export interface GateDeps {
  readonly settings: SettingsStore;
  readonly trust: Pick<Trust, "isFolderTrusted">;
  readonly ui: UiPort;
  readonly workplace: Workplace;
}

/** Whether the folder is trusted is looked up with the first tool call in it. */
export function composeGate({ workplace, ...deps }: GateDeps): ToolGate {
  const gate = workplace.follow((folder) => gateFor(folder, deps));
  return { decide: async (call) => (await gate()).decide(call) };
}

/** The person's own word counts first; without one a folder nobody trusts is treated with care. */
async function gateFor(cwd: string, { settings, trust, ui }: Omit<GateDeps, "workplace">) {
  const { approvalMode, approval } = settings.values(toolsArea);
  const isChosen = settings.origin(toolsArea, "approvalMode") !== "default";
  const isFree = isChosen || (await trust.isFolderTrusted(realpathSync(cwd)));
  const mode = isFree ? approvalMode : "write";
  return createGate({ mode, approval, ui, ...(!isFree && { refusalHint: UNTRUSTED_FOLDER }) });
}
