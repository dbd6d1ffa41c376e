/** Signals to whole process groups. */

import { codeOf, ignore } from "@omp/std";
import { readdirSync, readFileSync } from "node:fs";

/** Whether anything of the group still runs. */
export function isGroupAlive(leader: number): boolean {
  return send(-leader, 0) && hasRunningMember(leader);
}

export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  send(-leader, signal);
}

/**
 * For a group whose leader has ended and was collected. If a process with the leader's number exists
 * now, the system has given the number to somebody else, and the group is not ours any more.
 */
export function signalOrphans(leader: number, signal: NodeJS.Signals): void {
  if (!send(leader, 0)) send(-leader, signal);
}

/**
 * Zombies answer to signals, and in a container whose first process collects none they stay for good.
 * Where the system does not show its processes, every member counts as running.
 */
function hasRunningMember(leader: number): boolean {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.length === 0 || pids.some((pid) => isRunningMember(pid, leader));
  } catch (error) {
    ignore(error, "there is no /proc here");
    return true;
  }
}

function isRunningMember(pid: string, leader: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything; state, parent and group follow the last one.
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(group) === leader && state !== "Z" && state !== "X";
  } catch (error) {
    ignore(error, "the process ended while we looked");
    return false;
  }
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    // EPERM: somebody is there who is not ours to signal.
    if (codeOf(error) === "EPERM") return true;
    ignore(error, "the process has ended already");
    return false;
  }
}
