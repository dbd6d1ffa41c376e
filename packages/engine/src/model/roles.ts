/** Roles stand for models: `pi/smol`, or `smol` where a model is asked for. Pure. */

import type { ThinkingLevel } from "@omp/ai/schema";
import { UserError } from "@omp/std";
import type { Environment } from "../paths.ts";
import { splitThinking } from "./thinking.ts";

/** Role name to selector. */
export type Roles = Readonly<Record<string, string>>;

const PREFIX = "pi/";
const ROLE_VARIABLES = {
  smol: "PI_SMOL_MODEL",
  slow: "PI_SLOW_MODEL",
  plan: "PI_PLAN_MODEL",
} as const;

/** Flags stand above the environment, the environment above the settings. */
export function rolesOf(settings: Roles, environment: Environment, flags: Roles): Roles {
  const given = Object.entries(ROLE_VARIABLES).flatMap(([role, name]): [string, string][] => {
    const value = environment[name];
    return value ? [[role, value]] : [];
  });
  return { ...settings, ...Object.fromEntries(given), ...flags };
}

/**
 * What a selector means once roles are replaced by their models. A role may stand for another role; the
 * thinking level nearest to the one who asks wins.
 */
export function expandRole(
  selector: string,
  roles: Roles,
): { readonly selector: string; readonly thinking?: ThinkingLevel } {
  const passed = new Set<string>();
  let current = selector;
  let thinking: ThinkingLevel | undefined;
  for (;;) {
    const split = splitThinking(current);
    const role = roleIn(split.base, roles, passed.size === 0);
    if (role === undefined)
      return thinking ? { selector: current, thinking } : { selector: current };
    if (passed.has(role)) throw new UserError("bad-config", cycle([...passed, role]));
    passed.add(role);
    thinking ??= split.thinking;
    const next = Object.hasOwn(roles, role) ? roles[role] : undefined;
    if (!next) throw new UserError("no-model", unset(role, roles));
    current = next;
  }
}

/** A bare name counts only where a person typed it: a role's own value names a model. */
function roleIn(base: string, roles: Roles, isTyped: boolean): string | undefined {
  if (base.startsWith(PREFIX)) return base.slice(PREFIX.length);
  return isTyped && Object.hasOwn(roles, base) ? base : undefined;
}

function unset(role: string, roles: Roles): string {
  const known = Object.keys(roles).join(", ") || "none";
  return `No model is set for the role "${role}". Set modelRoles.${role} in config.yml. Roles that are set: ${known}.`;
}

function cycle(path: readonly string[]): string {
  return `modelRoles in config.yml go round in a circle: ${path.join(" -> ")}.`;
}
