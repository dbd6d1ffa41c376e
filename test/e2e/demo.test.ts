/** `omp demo`: the whole agent without key and network, and what it leaves behind. */

import { readJsonl, runOmp, sessionFiles, startOmp, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const projectOf = (stdout: string) => /^Project {2}(.+)$/m.exec(stdout)![1]!;

test("the demo mends the project and leaves a session whose every line parses", async () => {
  await using place = await workspace();
  const { stdout, stderr, exitCode } = await runOmp(["demo"], {
    cwd: place.path,
    home: place.home,
  });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toContain("FAIL 212 F is 100 C");
  expect(stdout).toContain("All three tests pass.");
  expect(stdout).toContain("ANTHROPIC_API_KEY");
  const project = projectOf(stdout);
  expect(readFileSync(join(project, "celsius.sh"), "utf8")).toContain("* 5 / 9");
  expect(Bun.spawnSync(["sh", "test.sh"], { cwd: project }).exitCode).toBe(0);
  const [file] = await sessionFiles(place.home);
  expect((await readJsonl(file!)).length).toBeGreaterThan(10);
});

test("a demo killed in the middle goes on from its last finished step", async () => {
  await using place = await workspace();
  const at = { home: place.home };
  const demo = startOmp(["demo"], { ...at, cwd: place.path });
  await demo.closeStdin();
  await demo.waitForStdout("read celsius.sh");
  demo.kill("SIGKILL");
  const { stdout } = await demo.ended;
  const project = projectOf(stdout);
  expect(Bun.spawnSync(["sh", "test.sh"], { cwd: project }).exitCode).toBe(1);
  const resumed = await runOmp(["--continue", "-p", "go on"], { ...at, cwd: project });
  expect(resumed.stdout).toContain("All three tests pass.");
  expect(Bun.spawnSync(["sh", "test.sh"], { cwd: project }).exitCode).toBe(0);
  expect(await sessionFiles(place.home)).toHaveLength(1);
});
