/** A program that holds a session open, says so, and writes to it when it is told to go on. */

import { SessionLog } from "@omp/session";
import { systemClock, systemRandom } from "@omp/std";
import { said } from "./scratch.ts";

const [path = ""] = process.argv.slice(2);
const log = await SessionLog.open({ path, clock: systemClock, random: systemRandom });
console.log(log.access.kind);
for await (const _ of console) break;
log.append(said("from the other process"));
await log.close();
