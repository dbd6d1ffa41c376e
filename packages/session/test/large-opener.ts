/** A program that opens a session, and tells what the model would see and how much memory it took. */

import { readFileSync } from "node:fs";
import { contextOf, SessionLog } from "@omp/session";
import { systemClock, systemRandom } from "@omp/std";

const [path = ""] = process.argv.slice(2);
const log = await SessionLog.open({ path, clock: systemClock, random: systemRandom });
const said = contextOf(log.branch()).messages.map(({ content }) => content);
const mark = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"));
const peakMb = Number(mark?.[1] ?? 0) / 1024;
console.log(JSON.stringify({ entries: log.entries.length, said, peakMb }));
await log.close();
