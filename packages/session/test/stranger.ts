/** A program that opens a session and tells what it may do with it. */

import { SessionLog } from "@omp/session";
import { messageOf, systemClock, systemRandom } from "@omp/std";
import { said } from "./scratch.ts";

const [path = ""] = process.argv.slice(2);
try {
  await using log = await SessionLog.open({ path, clock: systemClock, random: systemRandom });
  const { access, entries } = log;
  console.log(JSON.stringify({ access, entries: entries.length }));
  log.append(said("no"));
} catch (error) {
  console.log(JSON.stringify({ refusal: messageOf(error) }));
}
