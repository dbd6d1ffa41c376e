/** Real commands in a real shell. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock, type Clock } from "@omp/std";
import { limitClock } from "@omp/testkit";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutputSummary } from "../output/output-sink.ts";
import { createProcesses } from "../process/processes.ts";
import { childEnvironment } from "./environment.ts";
import { createShell, type Shell } from "./shell.ts";

const processes = createProcesses({ clock: systemClock });
const base = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  SECRET_KEY: "s3cret",
  UNSET: undefined,
};
const environment = childEnvironment(base, { withhold: (name) => name === "SECRET_KEY" });
const shell = createShell({ processes, environment });
let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "omp-shell-"));
});
afterAll(async () => {
  await processes[Symbol.asyncDispose]();
  rmSync(cwd, { recursive: true });
});

const textOf = async (command: string) => (await shell.run(command, { cwd })).output.output;

describe("shell", () => {
  test("BASH-45 both streams come out in the order they were written", async () => {
    const lines = Array.from({ length: 50 }, (_, index) => [`o${index}`, `e${index}`]).flat();
    const text = await textOf("for i in {0..49}; do echo o$i; echo e$i >&2; done");
    expect(text.trimEnd().split("\n")).toEqual(lines);
  });

  test("BASH-46 a command that reads its input finds it empty", async () => {
    expect(await shell.run("cat; echo end", { cwd })).toMatchObject({
      output: { output: "end\n" },
      end: { kind: "exited", code: 0 },
    });
  });

  test("a fault in the command is told with the line its author knows", async () => {
    const { output, end } = await shell.run("echo one\nno-such-command\nif", { cwd });
    expect(output.output).toContain("one\n");
    expect(output.output).toMatch(/line 2: no-such-command: command not found/);
    expect(output.output).toMatch(/syntax error/);
    expect(end).toEqual({ kind: "exited", code: 2 });
  });

  test("nothing of one command is left for the next", async () => {
    await shell.run("export LEFT=1; cd /", { cwd, env: { GIVEN: "2" } });
    expect(await textOf('echo "[$LEFT][$GIVEN]"; pwd')).toBe(`[][]\n${cwd}\n`);
  });

  test("output is cleaned", async () => {
    expect(await textOf("printf '\\033[31mx\\033[0m'")).toBe("x");
  });

  test("a time limit ends the command, with the output so far", async () => {
    const { clock, pass } = limitClock();
    await using limited = createProcesses({ clock });
    const result = await createShell({ processes: limited, environment }).run(
      "echo early; sleep 60",
      {
        cwd,
        timeoutMs: 60_000,
        onOutput: () => pass(60_000),
      },
    );
    expect(result).toMatchObject({ output: { output: "early\n" }, end: { kind: "deadline" } });
  });

  test("an abort ends the command, with the output so far; after an abort nothing starts", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const onOutput = () => controller.abort();
    const result = await shell.run("echo early; sleep 60", { cwd, signal, onOutput });
    expect(result).toMatchObject({ output: { output: "early\n" }, end: { kind: "aborted" } });
    expect(await shell.run("touch ran", { cwd, signal })).toMatchObject({
      end: { kind: "aborted" },
    });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  test("output is told while the command runs, also what comes soon after", async () => {
    const seen: string[] = [];
    const controller = new AbortController();
    await shell.run("echo one; until [ -e go ]; do sleep 0.01; done; echo two; sleep 60", {
      cwd,
      signal: controller.signal,
      onOutput(newest) {
        seen.push(newest);
        if (newest === "one\n") writeFileSync(join(cwd, "go"), "");
        else controller.abort();
      },
    });
    expect(seen).toEqual(["one\n", "one\ntwo\n"]);
  });

  test("STOR-22 a listener gets all text, clean and before lines are cut, at a limited rate", async () => {
    let told: (() => void) | undefined;
    const slow: Clock = { ...systemClock, after: (_ms, act) => ((told = act), () => {}) };
    await using patient = createProcesses({ clock: systemClock });
    const texts: string[] = [];
    const { output } = await createShell({ processes: patient, environment, clock: slow }).run(
      `printf '\\033[31mfirst\\033[0m\\n'; sleep 0.1; seq 100000; printf '%02000d\\n' 7`,
      { cwd, onText: (text) => texts.push(text) },
    );
    expect(output).toMatchObject({ cutLines: 1, truncated: true });
    const numbers = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(texts.join("")).toBe(`first\n${numbers}${"7".padStart(2000, "0")}\n`);
    // No time passes by this clock: the first text is told at once, the rest waits for the end.
    expect(texts).toHaveLength(2);
    expect(told).toBeDefined();
  });

  test("another shell can be chosen", async () => {
    const plain = createShell({ processes, environment, shellPath: "/bin/sh" });
    const { output } = await plain.run('echo "$0"', { cwd });
    expect(output.output).toBe("/bin/sh\n");
  });

  test("a prefix stands before the command, on its own line", async () => {
    const counted = createShell({ processes, environment, prefix: "echo before;" });
    const { output } = await counted.run("echo one\nno-such-command", { cwd });
    expect(output.output).toStartWith("before\none\n");
    expect(output.output).toContain("line 2: no-such-command");
  });

  test("STOR-30 memory stays bounded for endless output", async () => {
    const { output, grownBytes } = await inFreshProcess(
      `yes ${"x".repeat(99)} | head -c 400000000`,
    );
    expect(output).toMatchObject({ totalBytes: 400_000_000, totalLines: 4_000_000 });
    expect(output.outputBytes).toBeLessThan(52_000);
    expect(grownBytes).toBeLessThan(150_000_000);
  });
});

/** The garbage of other tests would be in the way of measuring memory. */
async function inFreshProcess(command: string) {
  const script = `
    const { createProcesses, createShell } = await import(${JSON.stringify(join(import.meta.dir, "../index.ts"))});
    const { systemClock } = await import("@omp/std");
    const processes = createProcesses({ clock: systemClock });
    const shell = createShell({ processes, environment: { PATH: process.env.PATH } });
    const before = process.memoryUsage.rss();
    const { output } = await shell.run(${JSON.stringify(command)}, { cwd: "/" });
    console.log(JSON.stringify({ output, grownBytes: process.memoryUsage.rss() - before }));`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: import.meta.dir,
    stdout: "pipe",
    stderr: "inherit",
  });
  return (await child.stdout.json()) as { output: OutputSummary; grownBytes: number };
}

describe("login", () => {
  /** A shell of somebody with this profile. */
  async function withProfile(
    profile: string,
    more: Partial<Parameters<typeof createShell>[0]> = {},
  ) {
    const home = mkdtempSync(join(cwd, "home-"));
    writeFileSync(join(home, ".profile"), profile);
    const login = { withhold: (name: string) => name === "SECRET_KEY" };
    return createShell({ processes, environment: { ...environment, HOME: home }, login, ...more });
  }
  const outputOf = async (made: Promise<Shell>, command: string) =>
    (await (await made).run(command, { cwd })).output.output;

  test("the profile is read once, adds variables, and is not seen otherwise", async () => {
    const made = withProfile('echo noise; echo noise >&2; echo x >> ~/runs; export A="1\n2" B=3\n');
    expect(await outputOf(made, 'echo "$A$B"; pwd')).toBe(`1\n23\n${cwd}\n`);
    expect(await outputOf(made, "cat ~/runs")).toBe("x\n");
  });

  test("what was there before stays, what is withheld stays away, new folders come behind", async () => {
    const made = withProfile("export PAGER=less SECRET_KEY=k PATH=/new:/usr/bin\n");
    const [values, path] = (await outputOf(made, 'echo "[$PAGER][$SECRET_KEY]"; echo $PATH')).split(
      "\n",
    );
    expect(values).toBe("[cat][]");
    expect(path).toStartWith(environment["PATH"]!);
    expect(path!.split(":")).toContain("/new");
    const sorted = withProfile(`export PATH="/new:${environment["PATH"]}"\n`);
    expect(await outputOf(sorted, "echo $PATH")).toStartWith("/new:");
  });

  test.each(["exit 3\n", "kill $$\n", "exec false\n"])(
    "a profile that says %j costs nothing but what it adds",
    async (profile) => {
      expect(await outputOf(withProfile(`export A=1\n${profile}`), 'echo "[$A]"')).toBe("[]\n");
    },
  );

  test("a profile that waits is waited for a while; an abort waits for nothing", async () => {
    const { clock, pass, isWaiting } = limitClock();
    await using limited = createProcesses({ clock });
    const made = await withProfile("sleep 60\n", { processes: limited });
    const controller = new AbortController();
    const first = made.run("echo one", { cwd, signal: controller.signal });
    await isWaiting;
    controller.abort();
    expect(await first).toMatchObject({ output: { output: "" }, end: { kind: "aborted" } });
    const second = made.run("echo two", { cwd });
    pass(5000);
    expect((await second).output.output).toBe("two\n");
  });
});

describe("environment of commands", () => {
  test("asks nobody, and has no withheld names", async () => {
    const env = new Map(
      (await textOf("env")).split("\n").map((line) => line.split("=", 2) as [string, string]),
    );
    expect(env.get("PAGER")).toBe("cat");
    expect(env.get("GIT_PAGER")).toBe("cat");
    expect(env.get("GIT_EDITOR")).toBe("true");
    expect(env.get("EDITOR")).toBe("true");
    expect(env.get("GIT_TERMINAL_PROMPT")).toBe("0");
    expect(env.get("SSH_ASKPASS")).toBe("/usr/bin/false");
    expect(env.get("CI")).toBe("true");
    expect(env.get("HOME")).toBe("/nonexistent");
    expect(env.has("SECRET_KEY")).toBe(false);
    expect(env.has("UNSET")).toBe(false);
  });

  test("CI is left alone when asked for", () => {
    const withhold = () => false;
    expect(childEnvironment({ PI_BASH_NO_CI: "1" }, { withhold })["CI"]).toBeUndefined();
  });
});
