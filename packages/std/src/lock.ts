/**
 * One writer at a time, by a file beside what is written. Its owner may die: a lock of a dead
 * process is taken over, and of several who try only one succeeds.
 */

import fs from "node:fs";
import { dirname, join } from "node:path";
import { takeName } from "./atomic-file.ts";
import { systemClock } from "./clock.ts";
import { codeOf, ignore } from "./errors.ts";
import { systemRandom } from "./random.ts";

export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** ISO time. */
  readonly since: string;
}

export type LockAttempt =
  | { readonly kind: "held"; release(): void }
  /** No owner: the file is there, but says nothing. */
  | { readonly kind: "taken"; readonly owner?: LockOwner };

/** What tells one life of a process from another that got its number. */
interface Stamp extends LockOwner {
  /** Names this one lock among all that were ever at the path. */
  readonly token: string;
  /** When the process began, by the kernel's count since the boot. */
  readonly began?: string;
  readonly boot?: string;
  /** The namespace that the pid counts in. */
  readonly space?: string;
}

const PRIVATE_FILE = 0o600;
/** Where there are no links, a lock is written in the moment after it is made. One that says nothing for longer has lost its owner. */
const SILENCE_MS = 5000;

/** @throws the system's error where no file can be made */
export function acquireLock(path: string): LockAttempt {
  const own = ownStamp();
  for (;;) {
    if (createdAlone(path, own)) return held(path, own.token);
    const found = readStamp(path);
    if (found === undefined) continue;
    if (!isDead(found, own)) return taken(found);
    const attempt = takeOver(path, found.token, own);
    if (attempt) return attempt;
  }
}

/** Whether somebody who lives, or of whom we know nothing, holds it. Touches nothing. */
export function isLockHeld(path: string): boolean {
  const found = readStamp(path);
  return found !== undefined && !isDead(found, ownStamp());
}

/**
 * Only who holds the lock named after the dead one may replace it, and looks once more before doing
 * so: a taker who comes late finds another token there. Undefined means: look again.
 */
function takeOver(path: string, token: string, own: Stamp): LockAttempt | undefined {
  const claim = acquireLock(`${path}.${token}.lock`);
  if (claim.kind === "taken") return claim;
  try {
    if (readStamp(path)?.token !== token) return undefined;
    fs.renameSync(writtenBeside(path, own), path);
    return held(path, own.token);
  } finally {
    claim.release();
  }
}

function held(path: string, token: string): LockAttempt {
  return {
    kind: "held",
    release() {
      try {
        // Somebody may have removed it by hand, and another may hold it by now.
        if (readStamp(path)?.token === token) fs.unlinkSync(path);
      } catch (error) {
        ignore(error, "a lock that stays is taken over once this process is gone");
      }
    },
  };
}

function taken({ pid, host, since }: Stamp): LockAttempt {
  return pid === 0 ? { kind: "taken" } : { kind: "taken", owner: { pid, host, since } };
}

/** Who dies on the way must not leave a lock that says nothing: it gets its name when it is written. */
function createdAlone(path: string, stamp: Stamp): boolean {
  if (fs.existsSync(path)) return false;
  const beside = writtenBeside(path, stamp);
  try {
    takeName(beside, path);
    return true;
  } catch (error) {
    discard(beside);
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function writtenBeside(path: string, stamp: Stamp): string {
  const beside = join(dirname(path), `.omp-${stamp.token}.tmp`);
  const descriptor = fs.openSync(beside, "wx", PRIVATE_FILE);
  try {
    // One call may write less than it was given, even nothing.
    const bytes = new TextEncoder().encode(JSON.stringify(stamp));
    for (let written = 0; written < bytes.length;)
      written += fs.writeSync(descriptor, bytes, written);
  } catch (error) {
    discard(beside);
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
  return beside;
}

function discard(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    ignore(error, "what failed before is what the caller must hear");
  }
}

/** Undefined when there is no file. */
function readStamp(path: string): Stamp | undefined {
  try {
    const text = fs.readFileSync(path, "utf8");
    return stampIn(text) ?? silentStamp(fs.statSync(path));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function stampIn(text: string): Stamp | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStamp(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The token becomes part of a file name. */
function isStamp(value: unknown): value is Stamp {
  if (typeof value !== "object" || value === null) return false;
  const { pid, host, since, token } = value as Record<string, unknown>;
  return (
    typeof pid === "number" &&
    typeof host === "string" &&
    typeof since === "string" &&
    typeof token === "string" &&
    /^[0-9a-f]{1,32}$/.test(token)
  );
}

function silentStamp({ ino, mtimeMs }: fs.Stats): Stamp {
  const token = `${ino.toString(16)}${Math.trunc(mtimeMs).toString(16)}`;
  return { pid: 0, host: "", since: new Date(mtimeMs).toISOString(), token };
}

/** Only what is known to be gone is dead: of another machine or container we know nothing. */
function isDead(found: Stamp, own: Stamp): boolean {
  if (found.pid === 0) return systemClock.now() - Date.parse(found.since) > SILENCE_MS;
  if (found.host !== own.host) return false;
  // A system that had no descriptor left could not say all of it: what is missing is no difference.
  if (differ(found.boot, own.boot)) return true;
  if (differ(found.space, own.space) || (found.space && !own.space)) return false;
  const began = beganOf(String(found.pid));
  if (began === ENDED || differ(found.began, began)) return true;
  try {
    process.kill(found.pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function ownStamp(): Stamp {
  const began = beganOf("self");
  const boot = textAt("/proc/sys/kernel/random/boot_id");
  const space = spaceOf();
  return {
    pid: process.pid,
    host: hostName(),
    since: new Date(systemClock.now()).toISOString(),
    token: systemRandom.bytes(8).toHex(),
    ...(began !== undefined && { began }),
    ...(boot !== undefined && { boot }),
    ...(space !== undefined && { space }),
  };
}

/** The system's own module for this costs more than the lock. */
function hostName(): string {
  return textAt("/proc/sys/kernel/hostname") ?? process.getBuiltinModule("node:os").hostname();
}

/**
 * The name of the process, in brackets, may hold anything: fields are counted from behind it. One that
 * has ended and was not collected by its parent still has its number, but writes no more.
 */
function beganOf(pid: string): string | undefined {
  const stat = textAt(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return fields[0] === "Z" || fields[0] === "X" ? ENDED : fields[19];
}

const ENDED = "ended";

function textAt(path: string): string | undefined {
  try {
    return fs.readFileSync(path, "latin1").trim();
  } catch (error) {
    ignore(error, "not every system has it");
    return undefined;
  }
}

function spaceOf(): string | undefined {
  try {
    return fs.readlinkSync("/proc/self/ns/pid");
  } catch (error) {
    ignore(error, "not every system has it");
    return undefined;
  }
}
