/** A program that dies in the middle of a tool call, without any chance to tidy up. */

import { SessionLog } from "@omp/session";
import { systemClock, systemRandom } from "@omp/std";
import { answer, call, result, said } from "./scratch.ts";

const [folder = ""] = process.argv.slice(2);
const log = SessionLog.create({ cwd: "/w", folder, clock: systemClock, random: systemRandom });
log.append(said("please"));
log.persist();
log.append({ type: "message", message: answer([call("1")], "toolUse") });
log.append(result("1"));
const text = { type: "text", text: "the reply" } as const;
log.append({ type: "message", message: answer([text, call("2"), call("3")], "toolUse") });
log.append(result("3"));
process.kill(process.pid, "SIGKILL");
