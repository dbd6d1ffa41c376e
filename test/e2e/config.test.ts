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

test("CLI-35 SET-R5 values as people type them, the accepted ones named, secrets masked in the list only", async () => {
  await using place = await workspace();
  for (const [name, words, printed] of [
    ["retry.enabled", ["off"], "false"],
    ["retry.enabled", ["Yes"], "true"],
    ["retry.enabled", ["0"], "false"],
    ["retry.maxRetries", ["3"], "3"],
    ["tools.approvalMode", ["write"], "write"],
    ["modelRoles", ['{"smol": "a/b"}'], '{"smol":"a/b"}'],
    ["modelProviderOrder", ["[x, y]"], '["x","y"]'],
    ["hindsight.bankId", [" two", "words "], "two words"],
    ["searxng.token", ["s3cret"], "s3cret"],
  ] as const) {
    expect(await config(place, "set", name, ...words)).toEqual(fine(`${name} = ${printed}\n`));
    expect(await config(place, "get", name)).toEqual(fine(`${printed}\n`));
  }
  for (const [name, word] of [
    ["retry.enabled", "perhaps"],
    ["retry.maxRetries", "Infinity"],
    ["tools.approvalMode", "WRITE"],
    ["modelProviderOrder", "{a: b}"],
  ] as const) {
    const { exitCode, stderr } = await config(place, "set", name, word);
    expect([name, exitCode]).toEqual([name, 1]);
    expect(stderr).toContain(`${name} must be`);
  }
  for (const words of [["list"], ["list", "--json"], ["why"], ["why", "searxng.token", "--json"]]) {
    const { stdout } = await config(place, ...words);
    expect(stdout).toContain("********");
    expect(stdout).not.toContain("s3cret");
  }
  expect(await config(place, "unset", "searxng.token")).toEqual(fine('searxng.token = ""\n'));
  expect((await config(place, "get", "nope")).stderr).toContain("Unknown setting: nope");
});

test("config why kind:name: which file counts, what it hides, and a near name for a slip", async () => {
  await using place = await workspace({
    git: true,
    files: {
      ".omp/rules/naming.md": "---\ndescription: ours\n---\nName things.\n",
      ".cursor/rules/naming.mdc": "---\ndescription: theirs\n---\nName things.\n",
    },
  });
  const { stdout } = await config(place, "why", "rule:naming");
  const [title, counts, hidden] = stdout.trimEnd().split("\n");
  expect(title).toBe("rule naming");
  expect(counts).toContain(`counts  ${place.path}/.omp/rules/naming.md`);
  expect(hidden).toContain(`hidden  ${place.path}/.cursor/rules/naming.mdc`);
  const { places } = JSON.parse((await config(place, "why", "rule:naming", "--json")).stdout);
  expect(places).toHaveLength(2);
  const slip = await config(place, "why", "rule:namign");
  expect(slip).toMatchObject({ exitCode: 1 });
  expect(slip.stderr).toContain('There is no rule "namign". Did you mean naming?');
  expect((await config(place, "why", "magic:x")).stderr).toContain("No magic was found.");
});

test("config why: file and line of every layer, the winner, what it hides, type, default and help", async () => {
  await using place = await workspace();
  await place.write(FILE, "# mine\nretry:\n  maxRetries: 4\n");
  await place.write("over.yml", "retry: { maxRetries: 5 }\n");
  const file = join(place.home, ".omp/agent/config.yml");
  const overlay = join(place.path, "over.yml");
  const { stdout, stderr } = await config(place, "why", "retry.maxRetries", "--config", "over.yml");
  expect(stderr).toBe("");
  const lines = stdout.split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "retry.maxRetries = 5",
    "  Retries. How often a failed request is sent again.",
    "  Takes an integer from 0 to 100. The default is 10.",
  ]);
  expect(lines[4]).toMatch(new RegExp(`^ +wins +overlay +${overlay}:1 +5$`));
  expect(lines[5]).toMatch(new RegExp(`^ +shadowed +file +${file}:3 +4$`));
  const shadowed = await config(place, "set", "retry.maxRetries", "6", "--config", "over.yml");
  expect(shadowed.stderr).toBe(`warning: ${overlay}:1 sets retry.maxRetries too, and wins here\n`);
  await config(place, "set", "retry.maxRetries", "4");
  const json = JSON.parse((await config(place, "why", "--json")).stdout);
  expect(json).toMatchObject([
    { name: "retry.maxRetries", value: 4, sources: [{ place: `${file}:3`, standing: "wins" }] },
  ]);
  expect((await config(place, "why", "lsp.lazy")).stdout).toContain("Nothing sets it");
});

test("config schema is a JSON Schema that knows the settings", async () => {
  await using place = await workspace();
  const schema = JSON.parse((await config(place, "schema")).stdout);
  expect(schema.properties.retry.properties.maxRetries).toMatchObject({
    type: "integer",
    maximum: 100,
    default: 10,
  });
});

test("a mistake in config.yml is told with its place, and with --strict-config ends the start", async () => {
  await using place = await workspace();
  await using model = await scriptedModel([turn(say("one")), turn(say("two"))]);
  const run = (...args: string[]) =>
    runOmp(["-p", "hi", ...args], { cwd: place.path, home: place.home, env: model.environment() });
  await place.write(FILE, "retry:\n  maxRetrys: 3\n  maxRetries: lots\n");
  const file = join(place.home, ".omp/agent/config.yml");
  const mild = await run();
  expect(mild.stdout).toBe("one\n");
  expect(mild.stderr).toContain(
    `${file}:2: there is no setting retry.maxRetrys. Did you mean retry.maxRetries?`,
  );
  expect(mild.stderr).toContain(`${file}:3: retry.maxRetries must be an integer from 0 to 100`);
  const strict = await run("--strict-config");
  expect([strict.exitCode, strict.stdout]).toEqual([1, ""]);
  expect(strict.stderr).toContain(`${file}:2: `);
  expect(strict.stderr).toContain(`${file}:3: `);
  expect(model.requests).toHaveLength(1);
  await place.write(FILE, "retry: { maxRetries: 3 }\n");
  expect((await run("--strict-config")).stdout).toBe("two\n");
});

test("settings of a project count where it is trusted, what redirects only with consent", async () => {
  await using place = await workspace();
  await place.write(".omp/config.yml", "retry: { maxRetries: 3 }\nshellPath: /tmp/other\n");
  const get = async (name: string, ...more: string[]) =>
    (await config(place, "get", name, ...more)).stdout.trim();
  expect(await get("retry.maxRetries")).toBe("10");
  expect((await config(place, "why", "retry.maxRetries")).stderr).toContain(
    "this folder is not trusted",
  );
  const allow = (...words: string[]) =>
    runOmp(["trust", "allow", ...words], { cwd: place.path, home: place.home });
  expect((await allow()).exitCode).toBe(0);
  expect(await get("retry.maxRetries")).toBe("3");
  expect(await get("shellPath")).toBe('""');
  await allow("--items");
  expect(await get("shellPath")).toBe("/tmp/other");
  await place.write(".omp/config.yml", "retry: { maxRetries: 3 }\nshellPath: /tmp/third\n");
  expect(await get("shellPath")).toBe('""');
  expect(await get("shellPath", "--trust")).toBe("/tmp/third");
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
