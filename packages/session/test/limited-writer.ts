/** A program whose disk is full for a while: a file size limit stops it inside a line and is lifted later. */

import { SessionLog } from "@omp/session";
import { systemClock, systemRandom, UserError } from "@omp/std";
import { said } from "./scratch.ts";

const [folder = ""] = process.argv.slice(2);
const log = SessionLog.create({ cwd: "/w", folder, clock: systemClock, random: systemRandom });
log.persist();
const refusals: unknown[] = [];
for (let i = 0; i < 12; i++) attempt(() => log.append(said(`${i} ${"x".repeat(1000)}`)));
attempt(() => log.rename("while it was full", "user"));
Bun.spawnSync(["prlimit", "--pid", String(process.pid), "--fsize=unlimited:"]);
attempt(() => log.rename("with room again", "user"));
await log.sync();
await log.close();
const ids = log.entries.map(({ id }) => id);
process.stdout.write(JSON.stringify({ path: log.path, ids, refusals }));

function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    refusals.push(error instanceof UserError ? error.message : error);
  }
}
