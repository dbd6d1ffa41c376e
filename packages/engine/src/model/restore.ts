/** Goes back to the model and thinking level that a session used last, where they can be had. */

import type { UiNotice } from "@omp/agent";
import { UserError } from "@omp/std";
import type { ActiveModel } from "./active-model.ts";
import { resolveModel, type ResolveDeps } from "./resolve.ts";
import { thinkingLevelOf } from "./thinking.ts";

export interface RestoreDeps extends ResolveDeps {
  readonly active: ActiveModel;
  tell(notice: UiNotice): void;
}

/** What the branch of the session says. */
export interface Remembered {
  readonly model?: string;
  readonly thinkingLevel?: string | null;
}

export async function restoreModel(
  { model, thinkingLevel }: Remembered,
  deps: RestoreDeps,
): Promise<void> {
  const { active, tell } = deps;
  if (model !== undefined && model !== active.selector && !(await goBackTo(model, deps))) {
    const text = `The session's model ${model} is not available now; ${active.selector} goes on with it.`;
    tell({ level: "warning", text });
  }
  const level = thinkingLevel === null ? "off" : thinkingLevelOf(thinkingLevel);
  if (level !== undefined) active.thinking = level;
}

async function goBackTo(selector: string, deps: RestoreDeps): Promise<boolean> {
  try {
    const { model } = await resolveModel(selector, deps);
    return await deps.active.switchTo(model);
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}
