/**
 * SQLite databases, to look at only. Every question is asked in a child: a statement that never ends can
 * be ended, and a damaged file can take nothing of ours along.
 */

import { messageOf } from "@omp/std";
import { HostError, type HostErrorKind } from "../errors.ts";
import type { Processes } from "../process/processes.ts";
import program from "./ask.txt" with { type: "text" };
import { openingOf } from "./opening.ts";

export interface Statement {
  readonly sql: string;
  readonly params?: readonly (string | number)[];
}

export interface QueryResult {
  readonly columns: readonly string[];
  /** Texts as a person reads them; long ones are cut, blobs only named. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Too much to hand over; there are more rows. */
  readonly isCut: boolean;
}

export interface Databases {
  /** Nothing can be changed by it. @throws HostError */
  ask(
    path: string,
    statements: readonly Statement[],
    signal: AbortSignal,
  ): Promise<readonly QueryResult[]>;
}

const DEADLINE_MS = 10_000;
const MAX_CELL = 2000;
const MAX_BYTES = 2 * 1024 * 1024;

export function createDatabases({ processes }: { readonly processes: Processes }): Databases {
  return {
    async ask(path, statements, signal) {
      for (const { sql } of statements) refuseOthers(sql);
      await using opening = await openingOf(path);
      const request = {
        name: opening.name,
        statements: statements.map(({ sql, params = [] }) => ({ sql, params })),
        maxCell: MAX_CELL,
        maxBytes: MAX_BYTES,
      };
      const answer = parsed(await run(processes, JSON.stringify(request), signal));
      if (answer.results) return answer.results;
      throw explained(path, answer);
    },
  };
}

const BLANKS = /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/;

/** These make or open other files, even for a reader. */
function refuseOthers(sql: string): void {
  const [word] = /^\w*/.exec(sql.replace(BLANKS, "")) ?? [""];
  if (!/^(?:vacuum|attach|detach)$/i.test(word)) return;
  throw new HostError(
    "refused",
    `${word.toUpperCase()} is not allowed: databases are only looked at.`,
  );
}

interface Answer {
  readonly results?: readonly QueryResult[];
  readonly error?: string;
  readonly code?: string;
}

async function run(processes: Processes, stdin: string, signal: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = [];
  const { ended } = processes.spawn({
    // The program that we are part of is also a runtime, if it is told so.
    command: [process.execPath, "-e", program],
    env: { BUN_BE_BUN: "1" },
    // Nobody's project: a file there could configure the runtime.
    cwd: "/",
    owner: "sqlite",
    deadlineMs: DEADLINE_MS,
    signal,
    stdin,
    onStdout: (bytes) => void parts.push(bytes.slice()),
  });
  const end = await ended;
  switch (end.kind) {
    case "exited":
      return Buffer.concat(parts).toString();
    case "deadline":
      throw new HostError("timeout", `The database took longer than ${DEADLINE_MS / 1000} s.`);
    case "aborted":
      throw signal.reason;
    case "signalled":
      throw new HostError("damaged", `Reading the database ended by ${end.signal}.`);
  }
}

function parsed(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch (error) {
    throw new HostError("io", `The database gave no answer: ${messageOf(error)}`, { cause: error });
  }
}

const KINDS: Readonly<Record<string, readonly [kind: HostErrorKind, words: string]>> = {
  SQLITE_BUSY: ["timeout", "the database is locked by another program; try again later"],
  SQLITE_LOCKED: ["timeout", "the database is locked by another program; try again later"],
  SQLITE_CORRUPT: ["damaged", "the database is damaged"],
  SQLITE_NOTADB: ["damaged", "the database is damaged, or encrypted"],
  SQLITE_CANTOPEN: ["permission", "the database cannot be opened"],
  SQLITE_READONLY: ["refused", ""],
};

function explained(path: string, { error = "no answer", code = "" }: Answer): HostError {
  const family = Object.keys(KINDS).find((known) => code === known || code.startsWith(`${known}_`));
  const [kind, words] = KINDS[family ?? ""] ?? (["io", ""] as const);
  return new HostError(kind, words === "" ? error : `${path}: ${words} (${error})`);
}
