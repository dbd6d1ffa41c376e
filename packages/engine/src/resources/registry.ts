/** Every kind of internal URL. A new one is a file, its name, and a line here. */

import type { ArtifactStore, SessionLog } from "@omp/session";
import type { Discovery } from "../discovery/discovery.ts";
import { agentScheme } from "./agent.ts";
import { artifactScheme } from "./artifact.ts";
import { conflictScheme, type ConflictDeps } from "./conflict.ts";
import { historyScheme } from "./history.ts";
import { localScheme } from "./local.ts";
import type { SchemeName } from "./names.ts";
import { ruleScheme } from "./rule.ts";
import type { Scheme } from "./scheme.ts";
import { skillScheme } from "./skill.ts";

export interface SchemeDeps {
  readonly artifacts: ArtifactStore;
  /** The open session. */
  log?(): SessionLog;
  readonly discovery: Pick<Discovery, "find">;
  /** Absent where nobody reads files. */
  readonly conflict?: ConflictDeps;
}

export function schemes({
  artifacts,
  discovery,
  log,
  conflict,
}: SchemeDeps): Readonly<Record<SchemeName, Scheme>> {
  return {
    artifact: artifactScheme(artifacts),
    agent: agentScheme(artifacts),
    local: localScheme(artifacts),
    history: historyScheme(log),
    rule: ruleScheme(discovery),
    skill: skillScheme(discovery),
    conflict: conflictScheme(conflict),
  };
}
