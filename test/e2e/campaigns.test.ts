/** Samples of the campaigns against the store; `npm run campaign -- <name> --seed 1` runs them whole. */

import { sampleCampaign } from "@omp/testkit";
import { seededRandom } from "@omp/std";
import { expect, test } from "bun:test";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ioErrors from "../campaigns/session-io-errors.ts";
import kills from "../campaigns/session-kills.ts";
import powerCuts, { record } from "../campaigns/session-power-cuts.ts";
import twoWriters from "../campaigns/two-writers.ts";
import { needs } from "../needs.ts";
import { cutPower, type Recording } from "../support/crash-model.ts";
import { onStore } from "../support/points.ts";
import { accountOf, faultOfStore } from "../support/store.ts";

const strace = needs("strace");

strace(
  "SESS-49 killed before any call: what was acknowledged is there, and the next writer gets in",
  async () => {
    await sampleCampaign(kills, { seed: 5, count: 8 });
  },
);

strace(
  "a disk that refuses: what it does not take is told, and is there once it takes it",
  async () => {
    await sampleCampaign(ioErrors, { seed: 5, count: 12 });
  },
);

strace("a power cut: what a sync has covered is there", async () => {
  await sampleCampaign(powerCuts, { seed: 5, count: 60 });
});

strace(
  "the disk of the power cuts is merciless: without its syncs the store loses what it promised",
  async () => {
    const { root, deeds } = await record({ operation: "append-new", variant: 0 });
    const without = (kind: "file" | "folder"): Recording => ({
      root,
      deeds: deeds.filter((deed) => deed.kind !== "sync" || deed.node.kind !== kind),
    });
    expect(await faultsIn({ root, deeds })).toEqual([]);
    expect(await faultsIn(without("file"))).toContain("lost: <m-0>");
    expect(await faultsIn(without("folder"))).toContain("lost: <m-0>");
  },
);

strace("a file system without links costs nothing", async () => {
  for (const operation of ["append-new", "takeover", "move", "migrate"] as const) {
    const inject = "link,linkat:error=EPERM:when=1+";
    await onStore({ operation, variant: 1 }, { inject }, async ({ folder, lines }) => {
      const { acknowledged, refused, isClosed } = accountOf(lines);
      expect({ isClosed, refused: [...refused] }).toEqual({ isClosed: true, refused: [] });
      const why = await faultOfStore(folder, { operation, variant: 1, wanted: acknowledged });
      expect(why).toBeUndefined();
    });
  }
});

async function faultsIn(recording: Recording): Promise<string[]> {
  const random = seededRandom(3);
  const faults: string[] = [];
  for (let state = 0; state < 40; state++) {
    const place = fs.mkdtempSync(join(tmpdir(), "omp-cut-"));
    const folder = join(place, "store");
    const wanted = accountOf(cutPower(recording, folder, random)).synced;
    const expected = { operation: "append-new", variant: 0, wanted, mayBeEmpty: true } as const;
    faults.push(...[await faultOfStore(folder, expected)].flatMap((why) => why ?? []));
    fs.rmSync(place, { recursive: true });
  }
  return faults;
}

test("two programs on one session: the second is told and forks, and no turn of either is lost", async () => {
  await sampleCampaign(twoWriters, { seed: 5, count: 44 });
});
