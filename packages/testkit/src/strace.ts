/** Programs under `strace`: what they ask of the system, and what the system answers when a test wants it to fail. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment, type Variables } from "./environment.ts";

export interface TraceOptions {
  readonly calls: readonly string[];
  /** As `strace` takes it: `write:error=EIO:when=3`, `rename:signal=KILL:when=1`. Counted per thread and call. */
  readonly inject?: string;
  /** Keep every byte and the path of every descriptor, in the form that `bytesIn` reads. */
  readonly isWhole?: boolean;
  readonly env?: Variables;
  readonly timeoutMs?: number;
}

export interface TracedRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: readonly TracedCall[];
}

export interface TracedCall {
  readonly thread: string;
  readonly name: string;
  /** What stands between the brackets. */
  readonly given: string;
  /** What stands behind the equals sign; empty for a call that never came back. */
  readonly result: string;
  readonly isInjected: boolean;
}

const TIMEOUT_MS = 20_000;

export async function runTraced(
  command: readonly string[],
  { calls, inject, isWhole = false, env, timeoutMs = TIMEOUT_MS }: TraceOptions,
): Promise<TracedRun> {
  const folder = mkdtempSync(join(tmpdir(), "omp-strace-"));
  try {
    const file = join(folder, "trace");
    const detail = isWhole ? ["-yy", "-xx", "-s", "10000000"] : [];
    const injection = inject === undefined ? [] : ["-e", `inject=${inject}`];
    // Stopping at the traced calls only is quicker, but then no signal comes through.
    const filter = inject?.includes(":signal=") ? [] : ["--seccomp-bpf"];
    const child = Bun.spawn(
      [
        ...["strace", "-f", ...filter, "-qq", "-o", file, "-e", `trace=${calls.join()}`],
        ...[...detail, ...injection, ...command],
      ],
      {
        env: cleanEnvironment(undefined, env),
        stdio: ["ignore", "pipe", "pipe"],
        timeout: timeoutMs,
        killSignal: "SIGKILL",
      },
    );
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    await child.exited;
    return { stdout, stderr, calls: callsIn(readFileSync(file, "utf8")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In the order in which they ended. */
function callsIn(text: string): readonly TracedCall[] {
  const begun = new Map<string, string>();
  return text.split("\n").flatMap((line): TracedCall[] => {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest.endsWith(" <unfinished ...>")) {
      begun.set(thread, rest.slice(0, -" <unfinished ...>".length));
      return [];
    }
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? [];
    const call = end === undefined ? rest : (begun.get(thread) ?? "") + end;
    const [, name, given = "", result = ""] = /^(\w+)\((.*)\) += (.*)$/.exec(call) ?? [];
    if (name === undefined) return [];
    return [{ thread, name, given, result, isInjected: result.endsWith("(INJECTED)") }];
  });
}

/** A text of a whole trace, as its bytes. */
export function bytesIn(hexText: string): Buffer {
  return Buffer.from(hexText.replaceAll("\\x", ""), "hex");
}
