/** The driver of the binary, shown with a real shell in its place. */

import { existsSync } from "node:fs";
import { expect, test } from "bun:test";
import { readJsonl, runOmp, sessionFiles, startOmp, workspace, type Workspace } from "./index.ts";

const shell = (place: Workspace) => ({ cwd: place.path, home: place.home, binary: "/bin/sh" });

test("output, errors, exit code and input", async () => {
  await using place = await workspace();
  const script = "cat; printf '\\377' ; echo oops >&2; pwd >&2; exit 3";
  const result = await runOmp(["-c", script], { ...shell(place), stdin: "from stdin" });
  expect(result).toMatchObject({
    stderr: `oops\n${place.path}\n`,
    exitCode: 3,
    signal: null,
    timedOut: false,
    outputHeldOpen: false,
  });
  expect(Buffer.from(result.stdoutBytes)).toEqual(Buffer.from("from stdin\xff", "latin1"));
});

test("the environment is clean but for what the test gives", async () => {
  await using place = await workspace();
  process.env.SECRET_OF_THE_MACHINE = "leak";
  const { stdout } = await runOmp(["-c", "env"], {
    ...shell(place),
    env: { EXTRA: "1", NOT: undefined },
  });
  delete process.env.SECRET_OF_THE_MACHINE;
  const names = stdout
    .trim()
    .split("\n")
    .map((line) => line.slice(0, line.indexOf("=")));
  const ofTheShell = ["PWD", "OLDPWD", "SHLVL", "_"];
  expect(names.filter((name) => !ofTheShell.includes(name)).sort()).toEqual([
    "EXTRA",
    "HOME",
    "LANG",
    "PATH",
    "TMPDIR",
  ]);
  expect(stdout).toContain(`HOME=${place.home}\n`);
});

test("without input the program reads an empty one", async () => {
  await using place = await workspace();
  const { stdout } = await runOmp(["-c", "cat; echo end"], shell(place));
  expect(stdout).toBe("end\n");
});

test("a program that takes too long is killed with its group, and its output is in the error", async () => {
  await using place = await workspace();
  const script = "sleep 300 & echo $!; echo waiting >&2; wait";
  const error = await runOmp(["-c", script], { ...shell(place), timeoutMs: 500 }).catch(String);
  expect(error).toContain("did not end within 500 ms");
  expect(error).toContain("waiting");
  const pid = /stdout:\n(\d+)/.exec(String(error))?.[1];
  expect(await isGone(Number(pid))).toBe(true);
});

test("a live program: output so far, input line by line, signals", async () => {
  await using place = await workspace();
  const script = "echo ready; while read line; do echo got $line; done; sleep 300";
  await using omp = startOmp(["-c", script], shell(place));
  await omp.waitForStdout("ready");
  await omp.writeStdin("one\n");
  await omp.waitForStdout((text) => text.includes("got one"));
  expect(omp.stdout).toBe("ready\ngot one\n");
  omp.kill("SIGTERM");
  expect(await omp.ended).toMatchObject({ exitCode: null, signal: "SIGTERM", timedOut: false });
});

test("a descendant that keeps the output open is told, and does not hang the test", async () => {
  await using place = await workspace();
  await using omp = startOmp(["-c", "sleep 300 & echo done"], shell(place));
  expect(await omp.ended).toMatchObject({ stdout: "done\n", exitCode: 0, outputHeldOpen: true });
});

test("a missing binary says how to get one", async () => {
  await using place = await workspace();
  const before = process.env.OMP_BINARY;
  process.env.OMP_BINARY = `${place.path}/omp`;
  const start = () => startOmp([], { cwd: place.path, home: place.home });
  expect(start).toThrow("run npm run build");
  if (before === undefined) delete process.env.OMP_BINARY;
  else process.env.OMP_BINARY = before;
});

test("session files are found below the home and read line by line", async () => {
  await using place = await workspace();
  expect(await sessionFiles(place.home)).toEqual([]);
  const folder = `${place.home}/.omp/agent/sessions`;
  const b = await place.write(`${folder}/--b--/2.jsonl`, '{"a":1}\n{"b":2}\n');
  const a = await place.write(`${folder}/--a--/1.jsonl`, '{"a":1}\n\n');
  await place.write(`${folder}/--a--/notes.txt`, "");
  expect(await sessionFiles(place.home)).toEqual([a, b]);
  expect(await readJsonl(b)).toEqual([{ a: 1 }, { b: 2 }]);
  await expect(readJsonl(a)).rejects.toThrow("1.jsonl:2: not JSON");
});

/** Whether the process has ended; one that is dead but not yet collected counts. */
async function isGone(pid: number): Promise<boolean> {
  const status = `/proc/${pid}/status`;
  return !existsSync(status) || /^State:\s+Z/m.test(await Bun.file(status).text());
}
