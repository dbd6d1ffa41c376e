/** One run of ripgrep: its arguments, its output piece by piece, how it ended. */

import { HostError } from "../errors.ts";
import type { ProcessEnd } from "../process/child.ts";
import type { Processes } from "../process/processes.ts";
import type { Dialect } from "./pattern.ts";

export interface Ripgrep {
  /** @throws HostError "failed-to-start" */
  run(request: RipgrepRun): Promise<ProcessEnd>;
}

export interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly stdin?: string | undefined;
  /** Each piece of the output up to the separator, without it. */
  onPiece(piece: string): void;
  readonly separator: "\0" | "\n";
}

export interface RipgrepDoors {
  readonly processes: Processes;
  /** Where git's configuration of the person is found; nothing else reaches the program. */
  readonly environment: Readonly<Record<string, string>>;
  program(): Promise<string>;
}

export function createRipgrep({ processes, environment, program }: RipgrepDoors): Ripgrep {
  return {
    async run({ args, cwd, deadlineMs, signal, stdin, onPiece, separator }) {
      const pieces = createPieces(separator, onPiece);
      const child = processes.spawn({
        command: [await program(), "--no-config", ...args],
        cwd,
        env: environment,
        owner: "search",
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
        ...(signal ? { signal } : {}),
        ...(stdin === undefined ? {} : { stdin }),
        onStdout: pieces.push,
      });
      const end = await child.ended;
      if (end.kind === "exited" || end.kind === "deadline" || end.kind === "aborted") return end;
      throw new HostError("io", `The search was ended by ${end.signal}.`);
    },
  };
}

/** How a pattern is said to ripgrep. */
export function patternArgs({ pattern, engine }: Dialect, ignoresCase: boolean): string[] {
  return [
    ...(engine === "pcre2" ? ["--pcre2"] : []),
    ...(engine === "literal" ? ["--fixed-strings"] : []),
    ignoresCase ? "--ignore-case" : "--case-sensitive",
    `--regexp=${pattern}`,
  ];
}

/** Cuts a stream of bytes; a piece may come in many parts. */
function createPieces(separator: "\0" | "\n", onPiece: (piece: string) => void) {
  const mark = separator.charCodeAt(0);
  let rest: Uint8Array[] = [];
  return {
    push(bytes: Uint8Array): void {
      let from = 0;
      for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, from)) {
        const part = bytes.subarray(from, at);
        onPiece(Buffer.concat([...rest, part]).toString("utf8"));
        rest = [];
        from = at + 1;
      }
      // The bytes may be read into again once we return.
      if (from < bytes.length) rest.push(bytes.slice(from));
    },
  };
}
