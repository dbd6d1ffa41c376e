/** Everything a tool may ask for, and the one way to define a tool. */

import { toolDefiner, type Artifacts, type Resources } from "@omp/agent";
import type { Files, Shell } from "@omp/host";

export interface Hosts {
  readonly files: Files;
  readonly shell: Shell;
  readonly artifacts: Artifacts;
  readonly resources: Resources;
}

export const defineTool = toolDefiner<Hosts>();
