/** The memory had a switch before it had several kinds. */

import type { Migration } from "./migration.ts";

export const memoriesSwitch: Migration = {
  from: "memories.enabled",
  migrate: (value) =>
    typeof value === "boolean"
      ? { "memories.enabled": value, ...(value && { "memory.backend": "local" }) }
      : undefined,
};

const OLD_SCOPES: Readonly<Record<string, string>> = {
  shared: "global",
  user: "global",
  project: "per-project",
  "project-tagged": "per-project-tagged",
  tagged: "per-project-tagged",
};

export const hindsightScope: Migration = {
  from: "hindsight.scoping",
  migrate(value) {
    const scope = Object.hasOwn(OLD_SCOPES, String(value)) ? OLD_SCOPES[String(value)] : undefined;
    return scope === undefined ? undefined : { "hindsight.scoping": scope };
  },
};

export const hindsightScopeName: Migration = {
  from: "hindsight.scope",
  migrate: (value) => hindsightScope.migrate(value) ?? { "hindsight.scoping": value },
};

export const hindsightBank: Migration = {
  from: "hindsight.bankName",
  migrate: (value) => ({ "hindsight.bankId": value }),
};

export const hindsightBankPrefix: Migration = {
  from: "hindsight.bankNamePrefix",
  migrate: (value) => ({ "hindsight.bankIdPrefix": value }),
};
