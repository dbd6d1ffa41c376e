/** Real commands in a real shell. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "@omp/std";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProcesses } from "../process/processes.ts";
import { childEnvironment } from "./environment.ts";
import { createShell } from "./shell.ts";

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

const textOf = async (command: string) => (await shell.run(command, { cwd })).output.text;

describe("shell", () => {
  test("BASH-45 both streams come out in the order they were written", async () => {
    const lines = Array.from({ length: 50 }, (_, index) => [`o${index}`, `e${index}`]).flat();
    const text = await textOf("for i in {0..49}; do echo o$i; echo e$i >&2; done");
    expect(text.trimEnd().split("\n")).toEqual(lines);
  });

  test("BASH-46 a command that reads its input finds it empty", async () => {
    expect(await shell.run("cat; echo end", { cwd })).toMatchObject({
      output: { text: "end\n" },
      end: { kind: "exited", code: 0 },
    });
  });

  test("a fault in the command is told with the line its author knows", async () => {
    const { output, end } = await shell.run("echo one\nno-such-command\nif", { cwd });
    expect(output.text).toContain("one\n");
    expect(output.text).toMatch(/line 2: no-such-command: command not found/);
    expect(output.text).toMatch(/syntax error/);
    expect(end).toEqual({ kind: "exited", code: 2 });
  });

  test("nothing of one command is left for the next", async () => {
    await shell.run("export LEFT=1; cd /", { cwd, env: { GIVEN: "2" } });
    expect(await textOf('echo "[$LEFT][$GIVEN]"; pwd')).toBe(`[][]\n${cwd}\n`);
  });

  test("STOR-21 output is cleaned", async () => {
    expect(await textOf("printf '\\033[31mx\\033[0m'")).toBe("x");
  });

  test("a time limit and an abort end the command, with the output so far", async () => {
    const late = await shell.run("echo early; sleep 60", { cwd, timeoutMs: 300 });
    expect(late).toMatchObject({ output: { text: "early\n" }, end: { kind: "deadline" } });
    const controller = new AbortController();
    const running = shell.run("echo early; sleep 60", {
      cwd,
      signal: controller.signal,
      onOutput: () => controller.abort(),
    });
    expect(await running).toMatchObject({ output: { text: "early\n" }, end: { kind: "aborted" } });
    const signal = AbortSignal.abort();
    expect(await shell.run("echo x", { cwd, signal })).toMatchObject({ end: { kind: "aborted" } });
  });

  test("output is told while the command runs", async () => {
    const seen: string[] = [];
    const controller = new AbortController();
    await shell.run("for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 0.05; done; sleep 60", {
      cwd,
      signal: controller.signal,
      onOutput(newest) {
        seen.push(newest);
        if (newest.endsWith("9\n")) controller.abort();
      },
    });
    expect(seen[0]).toBe("1\n");
    expect(seen.at(-1)).toBe("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    expect(seen.length).toBeGreaterThan(1);
  });

  test("another shell can be chosen", async () => {
    const plain = createShell({ processes, environment, shellPath: "/bin/sh" });
    const { output } = await plain.run('echo "$0"', { cwd });
    expect(output.text).toBe("/bin/sh\n");
  });

  test("STOR-30 memory stays bounded for endless output", async () => {
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    const { output } = await shell.run("head -c 300000000 /dev/zero | tr '\\0' 'x' | fold -w 99", {
      cwd,
    });
    expect(output.totalLines).toBe(Math.ceil(300_000_000 / 99));
    expect(output.outputBytes).toBeLessThan(52_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
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
