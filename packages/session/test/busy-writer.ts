/** A program that writes a session as fast as it can, and names each entry once it is in the file. */

import { writeSync } from "node:fs";
import { SessionLog } from "@omp/session";
import { systemClock, systemRandom } from "@omp/std";
import { said } from "./scratch.ts";

const [path = ""] = process.argv.slice(2);
const log = await SessionLog.open({ path, clock: systemClock, random: systemRandom });
for (let round = 0; ; round++) {
  const { id } = log.append(said(`${round} ${"x".repeat((round % 40) * 1000)}`));
  if (round % 5 === 0) log.rename(`Round ${round}`, "user");
  if (round % 50 === 49)
    await log.moveTo({ cwd: `/w${round}`, folder: log.path!.replace(/\/[^/]*$/, "") });
  writeSync(1, `${id}\n`);
}
