/** Real children: how they end, and that nothing of them is left. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { systemClock } from "@omp/std";
import { limitClock } from "@omp/testkit";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HostError } from "../errors.ts";
import type { SpawnRequest } from "./child.ts";
import { createProcesses, type Processes } from "./processes.ts";

let folder: string;
let processes: Processes;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "omp-process-"));
  processes = createProcesses({ clock: systemClock });
});
afterEach(async () => {
  await processes[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const env = { PATH: process.env["PATH"]! };

function bash(script: string, more: Partial<SpawnRequest> = {}) {
  let output = "";
  const decoder = new TextDecoder();
  const child = processes.spawn({
    command: ["bash", "-c", script],
    cwd: folder,
    env,
    owner: "test",
    onStdout: (bytes) => void (output += decoder.decode(bytes)),
    ...more,
  });
  return { child, output: () => output };
}

/** Waits for a pid that the script wrote into a file. */
async function pidIn(name: string): Promise<number> {
  const path = join(folder, name);
  for (;;) {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (text.endsWith("\n")) return Number(text);
    await Bun.sleep(5);
  }
}

/** A zombie is not alive: its parent has not looked yet, that is all. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const path = `/proc/${pid}/stat`;
  return !existsSync(path) || !/^\d+ \(.*\) [ZX] /.test(readFileSync(path, "utf8"));
}

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 400; tries++) {
    if (!isAlive(pid)) return true;
    await Bun.sleep(5);
  }
  return false;
}

describe("how a child ends", () => {
  test("with its code, after its output", async () => {
    const { child, output } = bash("echo out; exit 3");
    expect(await child.ended).toEqual({ kind: "exited", code: 3 });
    expect(output()).toBe("out\n");
  });

  test("by a signal", async () => {
    const { child } = bash("kill -USR1 $$");
    expect(await child.ended).toEqual({ kind: "signalled", signal: "SIGUSR1" });
  });

  test("at its deadline, with everything it started", async () => {
    const { clock, pass } = limitClock();
    processes = createProcesses({ clock });
    const { child } = bash("sleep 60 & echo $! > pid; wait", { deadlineMs: 60_000 });
    const grandchild = await pidIn("pid");
    pass(60_000);
    expect(await child.ended).toEqual({ kind: "deadline" });
    expect(await isGone(grandchild)).toBe(true);
  });

  test("by abort, with everything it started", async () => {
    const controller = new AbortController();
    const { child } = bash("sleep 60 & echo $! > pid; wait", { signal: controller.signal });
    const grandchild = await pidIn("pid");
    controller.abort();
    expect(await child.ended).toEqual({ kind: "aborted" });
    expect(await isGone(grandchild)).toBe(true);
  });

  test("even if it ignores the polite signal", async () => {
    const { child } = bash('trap "" TERM; (sleep 60 & echo $! > pid; wait); sleep 60');
    const grandchild = await pidIn("pid");
    await child.kill();
    expect(await child.ended).toEqual({ kind: "signalled", signal: "SIGKILL" });
    expect(await isGone(grandchild)).toBe(true);
  });

  test("with time to clean up after the polite signal", async () => {
    processes = createProcesses({ clock: systemClock, killGraceMs: 10_000 });
    const script = "trap 'echo bye; exit 5' TERM; echo $$ > pid; while :; do sleep 0.01; done";
    const { child, output } = bash(script);
    await pidIn("pid");
    await child.kill();
    expect(await child.ended).toEqual({ kind: "exited", code: 5 });
    expect(output()).toBe("bye\n");
  });

  test("not waiting for a grandchild that holds its output open", async () => {
    const { child, output } = bash("sleep 60 & echo $! > pid; echo started");
    const end = await child.ended;
    expect(end).toEqual({ kind: "exited", code: 0, leftoversKilled: true });
    expect(output()).toBe("started\n");
    expect(await isGone(await pidIn("pid"))).toBe(true);
  });

  test("not waiting for one that left the group, either", async () => {
    const { child } = bash("setsid sleep 60 & echo $! > pid; echo started");
    expect(await child.ended).toMatchObject({ kind: "exited", code: 0 });
    process.kill(await pidIn("pid"), "SIGKILL");
  });
});

describe("what a child gets", () => {
  test("the given environment and nothing else", async () => {
    const { child, output } = bash("", {
      command: [Bun.which("env")!],
      env: { ONLY: "this one" },
    });
    await child.ended;
    expect(output()).toBe("ONLY=this one\n");
  });

  test("an empty stdin, or the given text", async () => {
    const empty = bash("cat");
    const given = bash("cat", { stdin: "ignore é\n" });
    await Promise.all([empty.child.ended, given.child.ended]);
    expect([empty.output(), given.output()]).toEqual(["", "ignore é\n"]);
  });

  test("its own process group", async () => {
    const { child, output } = bash("ps -o pgid= -p $$ | tr -d ' '");
    await child.ended;
    expect(output()).toBe(`${child.pid}\n`);
  });
});

describe("what cannot start", () => {
  test.each([
    ["a missing program", { command: ["no-such-program"] }],
    ["a missing folder", { cwd: "/no/such/folder" }],
  ])("%s is a failure to start", (_, request) => {
    const start = () => bash("true", request);
    expect(start).toThrow(HostError);
    expect(start).toThrow(expect.objectContaining({ kind: "failed-to-start" }));
  });

  test("nothing is started for a signal that has aborted already", () => {
    expect(() => bash("touch ran", { signal: AbortSignal.abort() })).toThrow();
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  test("a listener that throws ends the child and is heard", async () => {
    const { child } = bash("echo x; sleep 60", {
      onStdout: () => {
        throw new Error("from the listener");
      },
    });
    await expect(child.ended).rejects.toThrow("from the listener");
    expect(await isGone(child.pid)).toBe(true);
  });
});

describe("the end of all", () => {
  test("disposing ends every child, and what they left behind", async () => {
    const first = bash("sleep 60");
    const second = bash("sleep 60 >/dev/null 2>&1 & echo $! > pid");
    await second.child.ended;
    const daemon = await pidIn("pid");
    expect(isAlive(daemon)).toBe(true);
    await processes[Symbol.asyncDispose]();
    expect(await first.child.ended).toEqual({ kind: "signalled", signal: "SIGTERM" });
    expect(await isGone(daemon)).toBe(true);
  });

  test("the last resort needs no waiting", async () => {
    const { child } = bash("trap '' TERM; sleep 60 & echo $! > pid; wait");
    const grandchild = await pidIn("pid");
    processes.killAllSync();
    expect(await child.ended).toEqual({ kind: "signalled", signal: "SIGKILL" });
    expect(await isGone(grandchild)).toBe(true);
  });
});
