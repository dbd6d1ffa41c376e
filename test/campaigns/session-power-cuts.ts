/** Whatever a power cut leaves of what was not synced: what was synced is there, and the store can be used. */

import { messageOf, type Random } from "@omp/std";
import type { Campaign } from "@omp/testkit";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTraced } from "@omp/testkit";
import { cutPower, recordingOf, snapshotOf, type Recording } from "../support/crash-model.ts";
import { CALLS, driverCommand, freshStore, shuffled } from "../support/points.ts";
import { accountOf, faultOfStore, OPERATIONS, type Operation } from "../support/store.ts";

const campaign: Campaign = {
  name: "session-power-cuts",
  describe: "In every legal state after a power cut all that a sync has covered is there.",
  fullCount: 5_000,
  async run({ count, random, report }) {
    const works = shuffled(WORKS, random).slice(0, Math.max(1, Math.ceil(count / MIN_STATES)));
    for (const [index, work] of works.entries()) {
      const recording = await record(work);
      const first = Math.floor((count * index) / works.length);
      const end = Math.floor((count * (index + 1)) / works.length);
      for (let state = first; state < end; state++) {
        const name = `${work.operation}/${work.variant} state ${state}`;
        const why = await faultOf(work, recording, random).catch(messageOf);
        report(
          why === undefined
            ? { case: name, result: "passed" }
            : { case: name, result: "failed", why },
        );
      }
    }
  },
};

export default campaign;

interface Work {
  readonly operation: Operation;
  readonly variant: number;
}

/** A recording is worth this many states. */
const MIN_STATES = 10;

/** A lock that is held lives no longer than the machine. */
const WORKS: readonly Work[] = OPERATIONS.filter((name) => name !== "live-lock").flatMap(
  (operation) => [0, 1, 3].map((variant) => ({ operation, variant })),
);

export async function record({ operation, variant }: Work): Promise<Recording> {
  using store = freshStore(operation, variant);
  const { folder } = store;
  const root = snapshotOf(folder);
  const command = driverCommand(operation, folder, variant);
  const run = await runTraced(command, { calls: [...CALLS, "writev"], isWhole: true });
  if (!run.stdout.endsWith("CLOSED\n")) throw new Error(`${operation}: ${run.stdout}${run.stderr}`);
  return recordingOf(root, folder, run.calls);
}

async function faultOf(work: Work, recording: Recording, random: Random) {
  const root = fs.mkdtempSync(join(tmpdir(), "omp-cut-"));
  try {
    const folder = join(root, "store");
    const lines = cutPower(recording, folder, random);
    const { synced } = accountOf(lines);
    const why = await faultOfStore(folder, { ...work, wanted: synced, mayBeEmpty: true });
    return why && `${why} (${lines.join(", ")})`;
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
