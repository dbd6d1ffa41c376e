/** Everything a tool may ask for, and the one way to define a tool. */

import { toolDefiner, type Artifacts, type Resources } from "@omp/agent";
import type { Files, Shell } from "@omp/host";
import type { Editing } from "./editing.ts";
import type { Snapshots } from "./snapshots.ts";

export interface Hosts {
  readonly files: Files;
  readonly shell: Shell;
  readonly artifacts: Artifacts;
  readonly resources: Resources;
  readonly snapshots: Snapshots;
  readonly editing: Editing;
}

export const defineTool = toolDefiner<Hosts>();
