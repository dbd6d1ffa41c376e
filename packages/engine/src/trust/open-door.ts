/** Trust as boot wires it: the person's file, the folder of this run, and whether questions are welcome. */

import type { UiPort } from "@omp/agent";
import type { Clock } from "@omp/std";
import { join } from "node:path";
import type { Paths } from "../paths.ts";
import { canonicalPath, projectRoot } from "./folder.ts";
import { createTrustStore } from "./store.ts";
import { createTrust, type TrustDoor } from "./trust.ts";

export interface TrustWishes {
  /** `--trust`: everything of this project may run, for this run only. */
  readonly trustsProject?: boolean | undefined;
  /** A person sits in front of the front end and can be asked before anything runs. */
  readonly asksTrust?: boolean | undefined;
  /** Of omp; it stands beside each decision. */
  readonly version?: string | undefined;
}

interface TrustPlace {
  readonly cwd: string;
  readonly paths: Pick<Paths, "agent" | "demo">;
  readonly ui: UiPort;
  readonly clock: Clock;
}

export function openTrustDoor(
  wishes: TrustWishes,
  { cwd, paths, ui, clock }: TrustPlace,
): TrustDoor {
  const warn = (text: string) => ui.tell({ level: "warning", text });
  return createTrust({
    store: createTrustStore(trustFile(paths), clock, warn),
    ownFolder: paths.demo,
    trustedForRun: wishes.trustsProject ? projectRoot(canonicalPath(cwd)) : undefined,
    ui,
    asks: wishes.asksTrust ?? false,
    clock,
    version: wishes.version ?? "unknown",
  });
}

export function trustFile({ agent }: Pick<Paths, "agent">): string {
  return join(agent, "trust.json");
}
