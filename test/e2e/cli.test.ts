/** The command line: exit codes, JSON, guesses, limits, folders and what is measured. */

import {
  callTool,
  readJsonl,
  runOmp,
  say,
  scriptedModel,
  sessionFiles,
  startOmp,
  turn,
  workspace,
  type Workspace,
} from "@omp/testkit";
import { expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { needs } from "../needs.ts";
import { chat, run, texts } from "./stage.ts";

function omp(place: Workspace, args: readonly string[], env: Record<string, string> = {}) {
  return runOmp(args, { cwd: place.path, home: place.home, env });
}

interface Header {
  readonly type: string;
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
}

async function headerOf(file: string): Promise<Header> {
  const lines = (await readJsonl(file)) as Header[];
  return lines.find(({ type }) => type === "session")!;
}

/** Words after each subcommand: without any, a bad one, a good one. */
const calls: Readonly<Record<string, Readonly<Record<"none" | "bad" | "good", number | string>>>> =
  {
    demo: { none: 0, bad: "now", good: "" },
    models: { none: 0, bad: "find", good: "ls" },
    sessions: { none: 0, bad: "lst", good: "list" },
    config: { none: 1, bad: "lst", good: "list" },
    context: { none: 0, bad: "now", good: "" },
    trust: { none: 0, bad: "alow", good: "list" },
    completions: { none: 1, bad: "tcsh", good: "bash" },
  };

test("CLI-50 a misused subcommand says its usage and exits 1, a good call 0, an unknown flag 2", async () => {
  await using place = await workspace();
  const { stdout } = await omp(place, ["--help"]);
  const listed = /\nCommands:\n([^]*?)\n\n/.exec(stdout)![1]!.split("\n");
  expect(listed.map((row) => row.trim().split(" ")[0]!).sort()).toEqual(Object.keys(calls).sort());
  for (const [name, { none, bad, good }] of Object.entries(calls)) {
    expect([name, (await omp(place, [name])).exitCode]).toEqual([name, none]);
    const wrong = await omp(place, [name, String(bad)]);
    expect([name, wrong.exitCode, wrong.stdout]).toEqual([name, 1, ""]);
    expect(wrong.stderr).toContain(`Usage: omp ${name}`);
    const fine = await omp(place, good === "" ? [name] : [name, String(good)]);
    expect([name, fine.exitCode]).toEqual([name, 0]);
    const flag = await omp(place, [name, "--nope"]);
    expect([name, flag.exitCode, flag.stdout]).toEqual([name, 2, ""]);
    const help = await omp(place, [name, "--help"]);
    expect([name, help.exitCode, help.stderr]).toEqual([name, 0, ""]);
    expect(help.stdout).toContain(`Usage: omp ${name}`);
  }
});

test("CLI-49 every --json output is one document on stdout and nothing else", async () => {
  await using place = await workspace();
  for (const args of [
    ["models", "--json"],
    ["models", "refresh", "--json"],
    ["sessions", "list", "--json"],
    ["sessions", "search", "x", "--json"],
    ["sessions", "fsck", "--json"],
    ["sessions", "gc", "--json"],
    ["config", "list", "--json"],
    ["config", "set", "retry.maxRetries", "3", "--json"],
    ["config", "get", "retry.maxRetries", "--json"],
    ["config", "reset", "retry.maxRetries", "--json"],
    ["config", "path", "--json"],
    ["trust", "--json"],
    ["trust", "allow", "--json"],
    ["trust", "list", "--all", "--json"],
    ["trust", "revoke", "--json"],
  ]) {
    const { stdout, exitCode } = await omp(place, args);
    expect([args, exitCode]).toEqual([args, 0]);
    expect(() => JSON.parse(stdout)).not.toThrow();
  }
});

test("a mistyped flag, command or model gets a guess", async () => {
  await using place = await workspace();
  await using model = await scriptedModel([turn(say("ok"))]);
  const flag = await omp(place, ["--modle", "x", "hi"]);
  expect(flag.stderr).toBe("Error: unknown flag: --modle\nDid you mean --model?\n");
  const wrong = await run(place, model, ["-p", "--model", "opsu", "hi"]);
  expect(wrong.stderr).toContain('No model matches "opsu". Did you mean opus?');
  const command = await run(place, model, ["modles"]);
  expect(command.stderr).toContain('"modles" is sent as a prompt. The command is: omp models');
  expect(texts(model, 0)).toEqual(["modles"]);
});

test("CLI-19 started in the home folder omp works in a folder of its own, unless allowed", async () => {
  await using place = await workspace();
  const temporary = join(place.path, "tmp");
  await place.write("tmp/x", "");
  await place.write("../home/notes.txt", "my notes");
  await using model = await scriptedModel([turn(say("one")), turn(say("two")), turn(say("three"))]);
  const inHome = (...args: string[]) =>
    run(place, model, args, { cwd: place.home, env: { TMPDIR: temporary } });

  const first = await inHome("-p", "@notes.txt", "one");
  const folder = join(temporary, `omp-home-${process.getuid!()}`);
  expect(first.stderr).toContain(`Started in the home folder: working in ${folder} instead.`);
  expect(JSON.stringify(model.requests[0]!.body)).toContain(folder);
  expect(texts(model, 0)[0]).toContain("my notes");
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);

  await inHome("-c", "-p", "two");
  expect(chat(model, 1)).toHaveLength(3);

  const allowed = await inHome("--allow-home", "-p", "three");
  expect(allowed.stderr).not.toContain("Started in the home folder");
  const files = await sessionFiles(place.home);
  const headers = await Promise.all(files.map(headerOf));
  expect(headers.map(({ cwd }) => cwd).sort()).toEqual([folder, place.home].sort());
});

test("the folder in place of the home is never one that somebody else prepared", async () => {
  await using place = await workspace();
  await place.write("tmp/elsewhere/x", "");
  const temporary = join(place.path, "tmp");
  symlinkSync(join(temporary, "elsewhere"), join(temporary, `omp-home-${process.getuid!()}`));
  await using model = await scriptedModel([turn(say("ok"))]);
  const { stderr } = await run(place, model, ["-p", "hi"], {
    cwd: place.home,
    env: { TMPDIR: temporary },
  });
  expect(stderr).toMatch(/working in \S+\/omp-home-\w{6} instead/);
});

test("CFG-11 --config files lie over config.yml, the later one over the earlier, and nothing is written", async () => {
  await using place = await workspace();
  await place.write("../home/.omp/agent/config.yml", "retry: { maxRetries: 1, baseDelayMs: 7 }\n");
  const overlays = ["retry:\n  maxRetries: 2\n  maxDelayMs: 9\n", "retry.maxRetries: 3\n"];
  for (const [index, text] of overlays.entries()) await place.write(`${index}.yml`, text);
  const get = async (name: string, ...more: string[]) =>
    (await omp(place, ["config", "get", name, ...more])).stdout.trim();
  expect(await get("retry.maxRetries")).toBe("1");
  expect(await get("retry.maxRetries", "--config", "0.yml")).toBe("2");
  expect(await get("retry.maxRetries", "--config", "0.yml", "--config=1.yml")).toBe("3");
  expect(await get("retry.maxDelayMs", "--config", "0.yml", "--config", "1.yml")).toBe("9");
  expect(await get("retry.baseDelayMs", "--config", "0.yml")).toBe("7");
  expect(await place.read("../home/.omp/agent/config.yml")).toBe(
    "retry: { maxRetries: 1, baseDelayMs: 7 }\n",
  );
  expect(await place.read("0.yml")).toBe(overlays[0]!);
});

test("a map in a --config file goes over that of config.yml key by key, a list replaces it", async () => {
  await using place = await workspace();
  await place.write(
    "../home/.omp/agent/config.yml",
    "modelRoles: { smol: a/b, slow: c/d }\nmodelProviderOrder: [x, y]\n",
  );
  await place.write("over.yml", "modelRoles: { slow: e/f }\nmodelProviderOrder: [z]\n");
  const get = async (name: string) =>
    JSON.parse((await omp(place, ["config", "get", name, "--config", "over.yml"])).stdout);
  expect(await get("modelRoles")).toEqual({ smol: "a/b", slow: "e/f" });
  expect(await get("modelProviderOrder")).toEqual(["z"]);
});

test("SET-R4 what is wrong with a --config file ends the run, with its place", async () => {
  await using place = await workspace();
  await place.write("bent.yml", "a: 1\nretry: [\n");
  await place.write("list.yml", "- a\n");
  await place.write("value.yml", "# mine\nretry:\n  maxRetries: lots\n");
  for (const [file, words] of [
    ["none.yml", `--config: File not found: ${join(place.path, "none.yml")}`],
    ["bent.yml", `--config: ${join(place.path, "bent.yml")}:2: `],
    ["list.yml", "it must be a mapping of settings"],
    ["value.yml", "value.yml:3: retry.maxRetries must be an integer from 0 to 100"],
  ] as const) {
    const { stdout, stderr, exitCode } = await omp(place, ["-p", "hi", "--config", file]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toContain(words);
  }
});

test("--add-dir puts folders into the header of the session", async () => {
  await using place = await workspace({ files: { "lib/x": "", "docs/x": "" } });
  await using model = await scriptedModel([turn(say("ok"))]);
  await run(place, model, ["-p", "hi", "--add-dir", "lib", "--add-dir", "docs"]);
  const [file] = await sessionFiles(place.home);
  expect(await headerOf(file!)).toMatchObject({
    additionalDirectories: [join(place.path, "lib"), join(place.path, "docs")],
  });
  const { stderr, exitCode } = await run(place, model, ["-p", "hi", "--add-dir", "nowhere"]);
  expect({ stderr, exitCode }).toEqual({
    stderr: `Error: --add-dir: No such folder: ${join(place.path, "nowhere")}\n`,
    exitCode: 1,
  });
});

test("CLI-18 --max-time ends a run with its commands; the session can be continued", async () => {
  await using place = await workspace();
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "echo $$ > pid; exec sleep 1000" })),
    turn(say("went on")),
  ]);
  const stopped = await run(place, model, ["-p", "--yolo", "--max-time", "1", "first"]);
  expect(stopped.exitCode).toBe(124);
  expect(stopped.stderr).toContain("The time of --max-time is over.");
  const pid = Number(await place.read("pid"));
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  const again = await run(place, model, ["-c", "-p", "second"]);
  expect(again).toMatchObject({ stdout: "went on\n", exitCode: 0 });
  expect(texts(model, 1).join("\n")).toContain("first");
  for (const wrong of ["0", "soon", "-5", "1x", ""]) {
    const { exitCode, stderr } = await omp(place, ["-p", "hi", `--max-time=${wrong}`]);
    expect([wrong, exitCode]).toEqual([wrong, 2]);
    expect(stderr).toContain("--max-time must be");
  }
});

test("CLI-18 flags of other releases are refused by name", async () => {
  await using place = await workspace();
  for (const flag of [
    "--advisor",
    "--service-tier",
    "--provider-session-id",
    "--prompt-cache-key",
    "--prewalk",
    "--plan-yolo",
    "--external-thinking",
    "--from-claude",
    "--from-codex",
    "--trusted-extension",
  ]) {
    const { stdout, stderr, exitCode } = await omp(place, ["-p", "hi", flag]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toStartWith(`Error: unknown flag: ${flag}\n`);
  }
});

test("--no-pty reaches commands as PI_NO_PTY, --no-lsp and --hide-thinking are accepted", async () => {
  await using place = await workspace();
  await using model = await scriptedModel([
    turn(callTool("bash", { command: "echo pty=$PI_NO_PTY" })),
    turn(say("done")),
  ]);
  const flags = ["--no-pty", "--no-lsp", "--hide-thinking"];
  const { stdout, stderr } = await run(place, model, ["-p", "--yolo", ...flags, "go"]);
  expect({ stdout, stderr }).toEqual({ stdout: "done\n", stderr: "Working...\n" });
  expect(JSON.stringify(model.requests[1]!.body)).toContain("pty=1");
});

test("--output-schema prints JSON that satisfies the schema", async () => {
  await using place = await workspace();
  const schema = JSON.stringify({
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
  });
  await place.write("schema.json", schema);
  for (const given of ["schema.json", schema]) {
    await using model = await scriptedModel([turn(callTool("final_answer", { n: 42 }))]);
    const args = ["-p", "--output-schema", given, "How many?"];
    const { stdout, exitCode } = await run(place, model, args);
    expect({ answer: JSON.parse(stdout), exitCode }).toEqual({ answer: { n: 42 }, exitCode: 0 });
  }
  for (const [given, words] of [
    ["none.json", "File not found: "],
    ["{ not json", "not JSON"],
    ["[1]", "File not found"],
  ] as const) {
    const { stderr, exitCode } = await omp(place, ["-p", "--output-schema", given, "x"]);
    expect([given, exitCode]).toEqual([given, 1]);
    expect(stderr).toContain(words);
  }
});

test("PI_TIMING prints the phases as a tree on stderr, one for each prompt", async () => {
  await using place = await workspace();
  await using model = await scriptedModel([turn(say("one")), turn(say("two")), turn(say("three"))]);
  const { stdout, stderr } = await run(place, model, ["-p", "a", "b", "c"], {
    env: { PI_TIMING: "1" },
  });
  expect(stdout).toBe("one\ntwo\nthree\n");
  const rows = stderr.split("\n").filter((row) => row.endsWith(" ms"));
  expect(rows.map((row) => row.replace(/ [\d.]+ ms$/, ""))).toEqual([
    "cli:load:text",
    "boot",
    "  boot:environment",
    "  boot:settings",
    "  boot:models",
    "  boot:session",
    "  boot:model",
    "print:prompt:initial",
    "print:prompt:next",
    "print:prompt:next",
  ]);
});

needs("mkfifo")(
  "ENV-114 PI_DEBUG_STARTUP names each phase at once, so that a hang shows its own",
  async () => {
    await using place = await workspace();
    await using model = await scriptedModel([turn(say("one"))]);
    const env = { PI_DEBUG_STARTUP: "1" };
    const { stderr } = await run(place, model, ["-p", "a"], { env });
    const marks = stderr.split("\n").filter((line) => line.startsWith("[startup] "));
    expect(marks.slice(0, 3)).toEqual([
      "[startup] cli:load:text:start",
      "[startup] cli:load:text:done",
      "[startup] boot:start",
    ]);
    expect(marks.at(-1)).toBe("[startup] print:prompt:initial:done");
    expect(stderr).not.toContain(" ms\n");
    // A pipe that nobody writes to: reading the settings never ends.
    await place.write("../home/.omp/agent/x", "");
    Bun.spawnSync(["mkfifo", join(place.home, ".omp/agent/config.yml")]);
    const hung = runOmp(["-p", "a"], {
      cwd: place.path,
      home: place.home,
      env: { ...model.environment(), ...env },
      timeoutMs: 2000,
    });
    const complaint = await hung.catch((error: Error) => error.message);
    expect(String(complaint).trimEnd()).toEndWith("[startup] boot:settings:start");
  },
);

test("slash commands work in print mode: built in, from files, and their failures", async () => {
  await using place = await workspace();
  await place.write("../home/.omp/agent/commands/greet.md", "Say hello to $1");
  await using model = await scriptedModel([turn(say("hello")), turn(say("hi"))]);
  const dump = await run(place, model, ["-p", "/greet Ann", "/dump"]);
  expect(texts(model, 0)).toEqual(["Say hello to Ann"]);
  expect(dump.stdout).toStartWith("hello\n");
  expect(dump.stdout).toContain("Say hello to Ann");
  expect(model.requests).toHaveLength(1);
  const wrong = await run(place, model, ["-p", "/thinking hard"]);
  expect(wrong).toMatchObject({ stdout: "", exitCode: 1 });
  expect(wrong.stderr).toContain("Error: Thinking must be one of");
  const json = await run(place, model, ["--mode", "json", "/thinking"]);
  const lines = json.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toEqual({ type: "notice", level: "info", text: expect.any(String) });
  // A script that says so means the text: nothing runs by itself in print mode.
  await run(place, model, ["-p", "!touch made"]);
  expect(texts(model, 1)).toEqual(["!touch made"]);
  expect(place.exists("made")).toBe(false);
});

test("Ctrl-C ends a slash command and what it started", async () => {
  await using place = await workspace();
  await using model = await scriptedModel([turn(say("hello"))]);
  const gh = await place.write(
    "bin/gh",
    `#!/bin/sh\n[ "$1" = gist ] || exit 0\necho $$ > "${place.path}/pid"\nexec sleep 1000\n`,
  );
  chmodSync(gh, 0o755);
  await using shared = startOmp(["-p", "hi", "/share"], {
    cwd: place.path,
    home: place.home,
    env: { ...model.environment(), PATH: `${place.path}/bin:${process.env["PATH"]}` },
    stdin: "",
  });
  await shared.waitForStdout("hello");
  while (!place.exists("pid") || (await place.read("pid")) === "") await Bun.sleep(10);
  shared.kill("SIGINT");
  expect((await shared.ended).exitCode).toBe(130);
  expect(existsSync(`/proc/${Number(await place.read("pid"))}`)).toBe(false);
});

test("SESS-53 a session that cannot be written is said on stderr, with exit code 1", async () => {
  await using place = await workspace();
  await using model = await scriptedModel([turn(say("x".repeat(64 * 1024)))]);
  const binary = process.env["OMP_BINARY"] ?? join(import.meta.dir, "../../dist/omp");
  // No file may be longer than 8 KB: the disk is full when the answer comes.
  const child = Bun.spawn(["bash", "-c", 'trap "" XFSZ; ulimit -f 8; exec "$0" -p hi', binary], {
    cwd: place.path,
    env: { PATH: process.env["PATH"], HOME: place.home, ...model.environment() },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stderr = await child.stderr.text();
  expect(await child.exited).toBe(1);
  expect(stderr).toMatch(/Error: .*session/i);
  expect(stderr).not.toContain("    at ");
});
