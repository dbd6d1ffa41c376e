/** Real commands through the tool. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { limitClock } from "@omp/testkit";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { bash } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (command: string, more: object = {}) => bench.call(bash, { command, ...more });

describe("input", () => {
  test("tier exec, alone", () => {
    expect(bash).toMatchObject({ name: "bash", tier: "exec", concurrency: "exclusive" });
  });

  test("BASH-05 a name that is no variable name is refused", async () => {
    const result = await call("touch ran", { env: { "A-B": "1" } });
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining("A-B") });
    expect(existsSync(join(bench.cwd, "ran"))).toBe(false);
  });

  test("BASH-06 values arrive unchanged and are gone in the next command", async () => {
    const value = "x \"y\"\n$z 'é'";
    expect(await call('printf %s "$A"', { env: { A: value } })).toMatchObject({ text: value });
    expect(await call('printf %s "$A"')).toMatchObject({ text: "(no output)" });
  });

  test("BASH-18 cwd counts from the session's, and must be a directory", async () => {
    mkdirSync(join(bench.cwd, "sub"));
    bench.file("file.txt", "");
    expect((await call("pwd", { cwd: "sub" })).text).toBe(join(bench.cwd, "sub"));
    expect((await call("pwd")).text).toBe(bench.cwd);
    expect(await call("pwd", { cwd: "nope" })).toMatchObject({
      isError: true,
      text: `Working directory does not exist: ${join(bench.cwd, "nope")}`,
    });
    expect(await call("pwd", { cwd: "file.txt" })).toMatchObject({
      isError: true,
      text: `Working directory is not a directory: ${join(bench.cwd, "file.txt")}`,
    });
  });

  test.each([
    [0, 1],
    [99_999, 3600],
    [undefined, 300],
  ])("BASH-19 a timeout of %p ends the command after %d s", async (timeout, seconds) => {
    const { clock, pass, isWaiting } = limitClock();
    await using patient = createWorkbench({ clock });
    const input = {
      command: "echo early; sleep 60",
      ...(timeout === undefined ? {} : { timeout }),
    };
    let hasEnded = false;
    const running = patient.call(bash, input).finally(() => (hasEnded = true));
    await isWaiting;
    pass(seconds * 1000 - 1);
    await Bun.sleep(30);
    expect(hasEnded).toBe(false);
    pass(1);
    const { text, isError, details } = await running;
    expect(text).toEndWith(`\n\nCommand timed out after ${seconds} seconds`);
    expect([isError, details]).toEqual([true, { timedOut: true }]);
  });
});

describe("result", () => {
  test("BASH-37 no output is said", async () => {
    expect(await call("true")).toMatchObject({ text: "(no output)", isError: false });
  });

  test("BASH-38 a code that is not zero is a failure with the output and the code", async () => {
    expect(await call("echo x; exit 3")).toMatchObject({
      isError: true,
      text: "x\n\nCommand exited with code 3",
      details: { exitCode: 3 },
    });
  });

  test("BASH-40 code zero is success", async () => {
    expect(await call("echo x")).toMatchObject({
      isError: false,
      text: "x",
      details: { exitCode: 0 },
    });
  });

  test("BASH-43 output is cut by bytes, not by lines", async () => {
    const many = await call("seq 10000");
    expect(many.text.split("\n")).toHaveLength(10_000);
    expect(many.details).toEqual({ exitCode: 0 });
    const long = await call("seq 100000");
    expect(long.text.length).toBeLessThan(52_000);
  });

  test("BASH-41 BASH-44 what was cut is told in counts of the output, and where the whole is", async () => {
    const { text, details } = await call("seq 100000");
    const whole = readFileSync(join(bench.artifacts, "0.bash.log"), "utf8");
    expect(whole).toBe(Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join(""));
    const [shown, notice] = text.split("\n\n[");
    const first = Number(/^\d+/.exec(shown!)?.[0]);
    expect(notice).toBe(
      `Showing lines ${first}-100000 of 100000 (${whole.length} bytes). Full: artifact://0]`,
    );
    expect(`\n${shown}\n`).toBe(whole.slice(-shown!.length - 2));
    expect(details).toEqual({
      exitCode: 0,
      meta: {
        truncation: {
          direction: "tail",
          truncatedBy: "bytes",
          totalLines: 100_000,
          totalBytes: whole.length,
          outputLines: 100_001 - first,
          outputBytes: shown!.length + 1,
          shownRange: { start: first, end: 100_000 },
          artifactId: "0",
        },
      },
    });
  });

  test("BASH-42 without an artifact the notice has no link", async () => {
    rmSync(bench.artifacts, { recursive: true });
    const { text, details } = await call("seq 100000");
    expect(text).toMatch(/\n\n\[Showing lines \d+-100000 of 100000 \(588895 bytes\)\.\]$/);
    expect(JSON.stringify(details)).not.toContain("artifactId");
  });

  test("a long line is cut for the model and whole in the artifact", async () => {
    const { text, details } = await call("head -c 1000000 /dev/zero | tr '\\0' x; echo; echo end");
    expect(text).toBe(`${"x".repeat(768)}…\nend\n\n[One long line was cut. Full: artifact://0]`);
    expect(details).toMatchObject({ meta: { limits: { columnTruncated: { lines: 1 } } } });
    expect(readFileSync(join(bench.artifacts, "0.bash.log"), "utf8")).toBe(
      `${"x".repeat(1_000_000)}\nend\n`,
    );
  });

  test("a failed command tells of its cut output as well", async () => {
    const { text, isError, details } = await call("seq 100000; exit 3");
    expect(isError).toBe(true);
    expect(text).toEndWith("Full: artifact://0]\n\nCommand exited with code 3");
    expect(details).toMatchObject({ exitCode: 3, meta: { truncation: { artifactId: "0" } } });
  });

  test("output that is complete leaves no artifact", async () => {
    await call("seq 100");
    expect(readdirSync(bench.artifacts)).toEqual([]);
  });

  test("a command ended by a signal is told", async () => {
    const result = await call("kill -KILL $$");
    expect(result).toMatchObject({
      isError: true,
      text: "(no output)\n\nCommand was ended by SIGKILL",
    });
  });

  test("an abort ends the command and is told, with the output so far", async () => {
    const controller = new AbortController();
    const input = { command: "echo early; echo $$ > pid; sleep 60" };
    const running = bench.call(bash, input, controller.signal);
    const pidFile = join(bench.cwd, "pid");
    while (!existsSync(pidFile) || !readFileSync(pidFile, "utf8")) await Bun.sleep(5);
    controller.abort();
    expect(await running).toMatchObject({ isError: true, text: "early\n\nCommand aborted" });
  });

  test("processes that were stopped with the command are told", async () => {
    const result = await call("sleep 60 & echo started");
    expect(result.text).toMatch(/^started\n\n\[Background processes still held the output/);
  });

  test("progress is reported", async () => {
    const { reports } = await call("echo one; sleep 0.3; echo two");
    const [first] = reports;
    expect(first?.content).toEqual([{ type: "text", text: expect.stringMatching(/^one\n/) }]);
  });
});
