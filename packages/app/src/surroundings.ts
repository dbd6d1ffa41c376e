/** Where a run takes place: folder, home and environment, looked at once. */

import { realpathSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { codeOf, ignore, systemClock, UserError } from "@omp/std";
import type { Surroundings } from "./cli/command.ts";
import type { Invocation } from "./cli/invocation.ts";
import { note } from "./headless/streams.ts";
import { createTiming, noTiming, type Timing } from "./timing.ts";

export async function surroundingsOf(invocation: Invocation): Promise<Surroundings> {
  const { cwd: wanted, variables, isHomeAllowed, command } = invocation;
  const environment =
    Object.keys(variables).length === 0 ? process.env : { ...process.env, ...variables };
  // Asking the system costs time, and nearly everybody has the variable.
  const home = environment["HOME"] || (await import("node:os")).homedir();
  const startedIn = existingFolder(wanted ?? ownSpelling(environment["PWD"], process.cwd()));
  const isAgent = command === undefined;
  const isRisky = isAgent && wanted === undefined && !isHomeAllowed && isSame(startedIn, home);
  const cwd = isRisky ? await scratchFolder(environment) : startedIn;
  return { cwd, startedIn, home, environment, timing: timingOf(environment) };
}

/** The system only knows where a folder really is; the shell knows how the person got there. */
function ownSpelling(spelled: string | undefined, cwd: string): string {
  if (!spelled || !isAbsolute(spelled) || spelled === cwd) return cwd;
  try {
    return isSame(spelled, cwd) ? spelled : cwd;
  } catch (error) {
    ignore(error, "a variable that leads nowhere says nothing");
    return cwd;
  }
}

function existingFolder(wanted: string): string {
  const folder = resolve(wanted);
  if (isFolder(folder)) return folder;
  throw new UserError("bad-input", `Not a folder: ${folder}`);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new UserError("file-not-found", `No such folder: ${path}`, { cause: error });
  }
}

function isSame(folder: string, home: string): boolean {
  if (folder === home) return true;
  try {
    return realpathSync(folder) === realpathSync(home);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    // A home that does not exist is no folder one could be in.
    return false;
  }
}

/** An agent let loose on a whole home is rarely what a person meant who only opened a terminal. */
async function scratchFolder(environment: Surroundings["environment"]): Promise<string> {
  const { openScratchFolder } = await import("./scratch-folder.ts");
  const folder = openScratchFolder(environment["TMPDIR"] || "/tmp");
  note(`Started in the home folder: working in ${folder} instead. --allow-home works here.`);
  return folder;
}

function timingOf(environment: Surroundings["environment"]): Timing {
  const isMarking = Boolean(environment["PI_DEBUG_STARTUP"]);
  if (!isMarking && !environment["PI_TIMING"]) return noTiming;
  const timing = createTiming({
    clock: systemClock,
    ...(isMarking && { mark: (text: string) => note(`[startup] ${text}`) }),
  });
  return environment["PI_TIMING"] ? timing : { ...timing, tree: () => "" };
}
