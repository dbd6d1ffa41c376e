/** What the person has decided, in `trust.json` of their own folder: folders by path, items by content. */

import {
  acquireLock,
  codeOf,
  messageOf,
  replaceFile,
  sleep,
  UserError,
  type Clock,
} from "@omp/std";
import fs from "node:fs";
import { dirname } from "node:path";

export interface FolderDecision {
  readonly isTrusted: boolean;
  /** ISO time. */
  readonly time: string;
  /** The version of omp that asked. */
  readonly omp: string;
}

/** Consent to one item as it was. */
export interface Consent {
  readonly kind: string;
  readonly path: string;
  /** Which of several in the file. */
  readonly name?: string;
  readonly contentHash: string;
  /** What the hash is made of: part to hash. Tells what changed. */
  readonly parts: Readonly<Record<string, string>>;
  readonly time: string;
  readonly omp: string;
}

export interface Decisions {
  readonly folders: Readonly<Record<string, FolderDecision>>;
  readonly items: readonly Consent[];
}

export interface TrustStore {
  readonly file: string;
  /** What is on disk now; nothing where it cannot be read. */
  read(): Decisions;
  /** One change at a time, over all processes. */
  change(step: (before: Decisions) => Decisions): Promise<void>;
}

const NOTHING: Decisions = { folders: {}, items: [] };
const PATIENCE_MS = 5000;
const LOOK_MS = 20;

export function createTrustStore(
  file: string,
  clock: Clock,
  warn: (text: string) => void,
): TrustStore {
  return {
    file,
    read() {
      try {
        return readDecisions(file);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        warn(`${error.message} Nothing is trusted until then.`);
        return NOTHING;
      }
    },
    async change(step) {
      fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const lock = await lockOf(`${file}.lock`, clock);
      try {
        // Never written over what could not be understood: it may hold years of decisions.
        const after = step(readDecisions(file));
        const text = JSON.stringify({ version: 1, ...after }, null, 2);
        await replaceFile(file, `${text}\n`, { mode: 0o600 });
      } finally {
        lock.release();
      }
    },
  };
}

async function lockOf(path: string, clock: Clock) {
  for (const end = clock.now() + PATIENCE_MS; ; await sleep(clock, LOOK_MS)) {
    const attempt = acquireLock(path);
    if (attempt.kind === "held") return attempt;
    if (clock.now() >= end) {
      const who = attempt.owner ? ` by process ${attempt.owner.pid}` : "";
      throw new UserError("busy", `${path} is held${who}. Try again when it has ended.`);
    }
  }
}

function readDecisions(file: string): Decisions {
  // Nearly always there is none, and an error costs more than the look.
  if (!fs.existsSync(file)) return NOTHING;
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return NOTHING;
    throw broken(file, messageOf(error));
  }
  try {
    return decisionsIn(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw broken(file, error.message);
  }
}

function broken(file: string, why: string): UserError {
  return new UserError("bad-config", `${file} cannot be read (${why}). Mend or remove it.`);
}

/** A later version may say more; what is not understood grants nothing. */
function decisionsIn(value: unknown): Decisions {
  if (!isRecord(value)) throw new SyntaxError("it is not an object");
  const { folders, items } = value;
  return {
    folders: Object.fromEntries(
      Object.entries(isRecord(folders) ? folders : {}).filter(
        (entry): entry is [string, FolderDecision] =>
          isRecord(entry[1]) && typeof entry[1]["isTrusted"] === "boolean",
      ),
    ),
    items: (Array.isArray(items) ? (items as unknown[]) : []).filter(isConsent),
  };
}

function isConsent(value: unknown): value is Consent {
  if (!isRecord(value)) return false;
  const { kind, path, name, contentHash, parts } = value;
  const isNamed = name === undefined || typeof name === "string";
  const isKnown = [kind, path, contentHash].every((text) => typeof text === "string");
  return isKnown && isNamed && isRecord(parts);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
