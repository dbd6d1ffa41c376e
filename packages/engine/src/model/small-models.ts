/** The models for small side requests: those of the roles that are set, then the session's own. */

import { UserError } from "@omp/std";
import {
  callableModel,
  type ActiveModel,
  type ActiveModelDeps,
  type CurrentModel,
} from "./active-model.ts";
import { selectorOf } from "./match.ts";
import { resolveModel, type ResolveDeps } from "./resolve.ts";

export interface SmallModelsDeps
  extends ResolveDeps, Pick<ActiveModelDeps, "registry" | "vault" | "proofs"> {
  readonly active: ActiveModel;
}

const SMALL_ROLES = ["tiny", "smol", "commit"] as const;

/** Each once; one that cannot be called is passed over. */
export async function* smallModels(deps: SmallModelsDeps): AsyncGenerator<CurrentModel> {
  const { active, roles } = deps;
  const passed = new Set<string>();
  for (const role of SMALL_ROLES) {
    const current = roles[role] ? await modelOfRole(role, deps) : undefined;
    if (!current || passed.has(selectorOf(current.model))) continue;
    passed.add(selectorOf(current.model));
    yield current;
  }
  if (!passed.has(active.selector)) yield active.current;
}

/** Undefined where the role has no model that can be called. */
export async function modelOfRole(
  role: string,
  deps: SmallModelsDeps,
): Promise<CurrentModel | undefined> {
  try {
    const { model, thinking = "off" } = await resolveModel(`pi/${role}`, deps);
    return await callableModel(model, thinking, deps);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
