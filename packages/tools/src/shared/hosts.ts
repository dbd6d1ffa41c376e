/** Everything a tool may ask for, and the one way to define a tool. */

import { toolDefiner } from "@omp/agent";
import type { Files, Shell } from "@omp/host";

export interface Hosts {
  readonly files: Files;
  readonly shell: Shell;
}

export const defineTool = toolDefiner<Hosts>();
