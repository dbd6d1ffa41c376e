/** Signals to whole process groups. */

import { codeOf, ignore } from "@omp/std";

/** Whether anything of the group is left. A zombie that nobody has collected counts. */
export function isGroupAlive(leader: number): boolean {
  return send(-leader, 0);
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
