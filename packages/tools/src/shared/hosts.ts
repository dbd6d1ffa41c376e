/** Everything a tool may ask for, and the one way to define a tool. */

import { toolDefiner, type Artifacts, type Resources } from "@omp/agent";
import type { Files, Scans, Search, Shell, Sources } from "@omp/host";
import type { Conflicts } from "./conflicts.ts";
import type { Editing } from "./editing.ts";
import type { Pictures } from "./pictures.ts";
import type { Reading } from "./reading.ts";
import type { Snapshots } from "./snapshots.ts";

export interface Hosts {
  readonly scans: Scans;
  readonly search: Search;
  readonly files: Files;
  readonly shell: Shell;
  readonly artifacts: Artifacts;
  readonly resources: Resources;
  readonly snapshots: Snapshots;
  readonly editing: Editing;
  readonly sources: Sources;
  readonly pictures: Pictures;
  readonly reading: Reading;
  readonly conflicts: Conflicts;
}

export const defineTool = toolDefiner<Hosts>();
