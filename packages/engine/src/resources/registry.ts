/** Every kind of internal URL. A new one is a file, its name, and a line here. */

import type { ArtifactStore } from "@omp/session";
import { agentScheme } from "./agent.ts";
import { artifactScheme } from "./artifact.ts";
import { localScheme } from "./local.ts";
import type { SchemeName } from "./names.ts";
import type { Scheme } from "./scheme.ts";

export interface SchemeDeps {
  readonly artifacts: ArtifactStore;
}

export function schemes({ artifacts }: SchemeDeps): Readonly<Record<SchemeName, Scheme>> {
  return {
    artifact: artifactScheme(artifacts),
    agent: agentScheme(artifacts),
    local: localScheme(artifacts),
  };
}
