/** `omp config` on the built binary. */

import { runOmp, say, scriptedModel, turn, workspace, type Workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";

const FILE = "../home/.omp/agent/config.yml";

async function config(place: Workspace, ...words: string[]) {
  const { stdout, stderr, exitCode } = await runOmp(["config", ...words], {
    cwd: place.path,
    home: place.home,
  });
  return { stdout, stderr, exitCode };
}

const fine = (stdout: string) => ({ stdout, stderr: "", exitCode: 0 });

test("config: path, get, set and reset, with comments kept", async () => {
  await using place = await workspace();
  await place.write(FILE, "# mine\nretry:\n  maxRetries: 4 # enough\n");
  expect(await config(place, "path")).toEqual(
    fine(`${join(place.home, ".omp/agent/config.yml")}\n`),
  );
  expect(await config(place, "get", "retry.maxRetries")).toEqual(fine("4\n"));
  expect(await config(place, "set", "retry.maxRetries", "7")).toEqual(
    fine("retry.maxRetries = 7\n"),
  );
  expect(await place.read(FILE)).toBe("# mine\nretry:\n  maxRetries: 7 # enough\n");
  expect(await config(place, "set", "modelRoles", "{smol: a/b}", "--json")).toEqual(
    fine('{\n  "name": "modelRoles",\n  "value": {\n    "smol": "a/b"\n  }\n}\n'),
  );
  expect(await config(place, "reset", "retry.maxRetries")).toEqual(fine("retry.maxRetries = 10\n"));
  expect(await place.read(FILE)).toBe('# mine\nmodelRoles: {"smol":"a/b"}\n');
  expect(statSync(join(place.path, FILE)).mode & 0o777).toBe(0o600);
});

test("config: unknown names and wrong values exit 1 and say what is accepted", async () => {
  await using place = await workspace();
  for (const [words, message] of [
    [
      ["get", "retry.maxRetrys"],
      "Unknown setting: retry.maxRetrys. Did you mean retry.maxRetries?",
    ],
    [["set", "nope", "1"], "Unknown setting: nope"],
    [["reset", "nope"], "Unknown setting: nope"],
    [["set", "retry.enabled", "perhaps"], "retry.enabled must be true or false"],
    [["set", "tools.approvalMode", "all"], "must be one of always-ask, write, yolo"],
    [["set", "retry.maxRetries", "101"], "must be an integer from 0 to 100"],
    [["set", "retry.maxRetries"], "omp config set takes the name of a setting and its value"],
    [["list", "more"], "omp config list takes no name"],
  ] as const) {
    const { stdout, stderr, exitCode } = await config(place, ...words);
    expect({ words, stdout, exitCode }).toEqual({ words, stdout: "", exitCode: 1 });
    expect(stderr).toContain(message);
  }
  expect(place.exists(FILE)).toBe(false);
});

test("config: list says where each value comes from, and a run obeys what was set", async () => {
  await using place = await workspace();
  await config(place, "set", "defaultThinkingLevel", "off");
  const rows = JSON.parse((await config(place, "list", "--json")).stdout) as readonly {
    name: string;
    origin: string;
    value: unknown;
  }[];
  expect(rows.find(({ name }) => name === "defaultThinkingLevel")).toMatchObject({
    value: "off",
    origin: "file",
  });
  expect(rows.filter(({ origin }) => origin !== "default")).toHaveLength(1);
  expect((await config(place, "list")).stdout).toMatch(/^defaultThinkingLevel +off {2}\(file\)$/m);
  await using model = await scriptedModel([turn(say("ok"))]);
  const { stdout } = await runOmp(["-p", "/thinking"], {
    cwd: place.path,
    home: place.home,
    env: model.environment(),
  });
  expect(stdout).toBe("Thinking: off\n");
});
