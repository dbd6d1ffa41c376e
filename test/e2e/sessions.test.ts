/** Finding stored sessions again: by path, by id, by terminal, across projects; and the list of them. */

import {
  readJsonl,
  runOmp,
  say,
  scriptedModel,
  sessionFiles,
  startOmp,
  turn,
  virtualTerminal,
  workspace,
  type ScriptedModel,
  type Workspace,
} from "@omp/testkit";
import { expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { chat, run } from "./stage.ts";

const binary = process.env["OMP_BINARY"] ?? join(import.meta.dir, "../../dist/omp");

const answers = (count: number) => Array.from({ length: count }, (_, at) => turn(say(`a${at}`)));

interface Header {
  readonly type: string;
  readonly id: string;
  readonly cwd: string;
  readonly parentSession?: string;
}

async function headerOf(file: string): Promise<Header> {
  const lines = (await readJsonl(file)) as Header[];
  return lines.find(({ type }) => type === "session")!;
}

/** The only session there is after one prompt. */
async function firstSession(place: Workspace, model: ScriptedModel): Promise<string> {
  await run(place, model, ["-p", "first"]);
  const [file] = await sessionFiles(place.home);
  return file!;
}

function terminalIn(place: Workspace, model: ScriptedModel, command: readonly string[]) {
  return virtualTerminal({
    command,
    cwd: place.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.home, ...model.environment() },
    cols: 150,
    rows: 30,
  });
}

/** The same home, another folder. */
function elsewhere(place: Workspace, name = "elsewhere"): Workspace {
  const path = join(dirname(place.path), name);
  mkdirSync(path, { recursive: true });
  return { ...place, path };
}

test("CLI-13 SESS-59 --resume and --session take a path, an id and beginnings of id and file name", async () => {
  await using model = await scriptedModel(answers(9));
  await using place = await workspace();
  const file = await firstSession(place, model);
  const { id } = await headerOf(file);
  const name = basename(file);
  const values = [file, id, id.slice(0, 13).toUpperCase(), name.slice(0, 30), name];
  for (const [at, value] of values.entries()) {
    const { exitCode } = await run(place, model, [
      "-p",
      "--no-title",
      "--resume",
      value,
      `again ${at}`,
    ]);
    expect([value, exitCode]).toEqual([value, 0]);
    expect(chat(model, at + 1).slice(0, 2)).toEqual(["user: first", "assistant: a0"]);
  }
  expect((await run(place, model, ["-p", `--session=${id}`, "more"])).exitCode).toBe(0);
  expect((await run(place, model, ["-c", id, "-p", "last"])).exitCode).toBe(0);
  expect(chat(model, 7)).toHaveLength(15);
  const unknown = await run(place, model, ["-p", "-r", "0123abcd", "x"]);
  expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
  expect(unknown.stderr).toContain('Error: Session "0123abcd" not found.');
  expect(await sessionFiles(place.home)).toEqual([file]);
});

test("SESS-05 --session-dir replaces the place of sessions and ends the search elsewhere", async () => {
  await using model = await scriptedModel(answers(4));
  await using place = await workspace();
  const file = await firstSession(place, model);
  const { id } = await headerOf(file);
  const there = ["--session-dir", "kept", "-p"];
  const lost = await run(place, model, [...there, "--resume", id, "x"]);
  expect(lost).toMatchObject({ exitCode: 1 });
  expect(lost.stderr).toContain(`Session "${id}" not found.`);
  await run(place, model, [...there, "second"]);
  await run(place, model, [...there, "-c", "third"]);
  expect(chat(model, 2)).toEqual(["user: second", "assistant: a1", "user: third"]);
  expect(await sessionFiles(place.home)).toEqual([file]);
  const { stdout } = await run(place, model, ["sessions", "--session-dir", "kept", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject([{ messageCount: 4, firstMessage: "second" }]);
  // Whoever cleans up must know of it.
  const known = readFileSync(join(place.home, ".omp/agent/session-folders"), "utf8");
  expect(known).toBe(`${join(place.path, "kept")}\n`);
});

test("SOP-30 SESS-60 a session of another project: refused without a terminal, in place with --yes", async () => {
  await using model = await scriptedModel(answers(3));
  await using place = await workspace();
  const file = await firstSession(place, model);
  const { id } = await headerOf(file);
  const before = readFileSync(file, "utf8");
  const other = elsewhere(place);
  const refused = await run(other, model, ["-p", "-r", id, "x"]);
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain(`Session found in different project: ${place.path}.`);
  expect(refused.stderr).toContain("--yes");
  expect(readFileSync(file, "utf8")).toBe(before);
  expect((await run(other, model, ["-p", "--yes", "-r", id, "second"])).exitCode).toBe(0);
  expect(chat(model, 1)).toEqual(["user: first", "assistant: a0", "user: second"]);
  expect(readFileSync(file, "utf8")).toStartWith(before);
  mkdirSync(join(place.home, ".omp/agent"), { recursive: true });
  writeFileSync(join(place.home, ".omp/agent/config.yml"), "session:\n  resumeInPlace: true\n");
  expect((await run(other, model, ["-p", "-r", id, "third"])).exitCode).toBe(0);
  expect(await sessionFiles(place.home)).toEqual([file]);
});

test("SOP-30 SESS-60 on a terminal it is asked: yes forks into the folder, no opens nothing", async () => {
  await using model = await scriptedModel(answers(2));
  await using place = await workspace();
  const file = await firstSession(place, model);
  const { id } = await headerOf(file);
  const before = readFileSync(file, "utf8");
  const other = elsewhere(place);
  for (const [answer, exitCode] of [
    ["n", 1],
    ["y", 0],
  ] as const) {
    await using terminal = await terminalIn(other, model, [binary, "-p", "-r", id, "second"]);
    await terminal.waitFor((screen) => screen.join("").includes("[y/N]"));
    const screen = terminal.screen().join("");
    expect(screen).toContain(`Session found in different project: ${place.path}.`);
    expect(screen).toContain("Fork into current directory? [y/N]");
    terminal.write(`${answer}\r`);
    expect([answer, await terminal.exited]).toEqual([answer, exitCode]);
    expect(await sessionFiles(place.home)).toHaveLength(answer === "y" ? 2 : 1);
  }
  const [fork] = (await sessionFiles(place.home)).filter((path) => path !== file);
  const header = await headerOf(fork!);
  expect(header).toMatchObject({ cwd: other.path, parentSession: id });
  expect(header.id).not.toBe(id);
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(chat(model, 1)).toEqual(["user: first", "assistant: a0", "user: second"]);
});

test("SOP-32 SESS-58 -c goes on with the session of its terminal, in a new terminal with the newest", async () => {
  await using model = await scriptedModel(answers(6));
  await using place = await workspace();
  const shell = ["bash", "--norc", "--noprofile"];
  await using one = await terminalIn(place, model, shell);
  await using two = await terminalIn(place, model, shell);
  const type = async (terminal: typeof one, words: string) => {
    const done = `done-${words.replaceAll(/\W/g, "")}`;
    terminal.write(`${binary} ${words}; printf 'done-%s\\n' ${done.slice(5)}\r`);
    await terminal.waitFor((screen) => screen.includes(done));
  };
  await type(one, "-p first");
  await type(two, "-p second");
  await type(one, "-p -c third");
  await type(two, "-p -c fourth");
  expect(chat(model, 2)[0]).toBe("user: first");
  expect(chat(model, 3)[0]).toBe("user: second");
  await type(one, "-p -c fifth");
  expect(chat(model, 4)).toHaveLength(5);
  const crumbs = join(place.home, ".omp/agent/terminal-sessions");
  await using three = await terminalIn(place, model, [binary, "-p", "-c", "sixth"]);
  await three.exited;
  expect(chat(model, 5)[0]).toBe("user: first");
  expect(existsSync(crumbs)).toBe(true);
});

test("SESS-58 a terminal that began anew starts a new session; of another folder it knows nothing", async () => {
  await using model = await scriptedModel(answers(4));
  await using place = await workspace();
  const file = await firstSession(place, model);
  const crumb = join(place.home, ".omp/agent/terminal-sessions/TMUX_PANE-1");
  const env = { TMUX_PANE: "1" };
  mkdirSync(dirname(crumb), { recursive: true });
  writeFileSync(crumb, `${place.path}\n${file}.none\nfresh\n`);
  await run(place, model, ["-p", "-c", "anew"], { env });
  expect(chat(model, 1)).toEqual(["user: anew"]);
  writeFileSync(crumb, `${place.home}\n${file}\n`);
  await run(place, model, ["-p", "-c", "newest"], { env });
  expect(chat(model, 2)[0]).toBe("user: anew");
  writeFileSync(crumb, `${place.path}\n${file}\n`);
  await run(place, model, ["-p", "-c", "its own"], { env });
  expect(chat(model, 3)[0]).toBe("user: first");
});

test("ENV-130 without a device the variables of the terminal tell it from others", async () => {
  const panes = [
    "TMUX_PANE",
    "CMUX_SURFACE_ID",
    "KITTY_WINDOW_ID",
    "TERM_SESSION_ID",
    "WT_SESSION",
  ];
  await using model = await scriptedModel(answers(2 * panes.length));
  await using place = await workspace();
  for (const name of panes)
    await run(place, model, ["-p", `in ${name}`], { env: { [name]: "%1" } });
  for (const [at, name] of panes.entries()) {
    await run(place, model, ["-p", "-c", "again"], { env: { [name]: "%1" } });
    expect(chat(model, panes.length + at)[0]).toBe(`user: in ${name}`);
  }
});

test("SESS-06 a breadcrumb that cannot be written does not disturb the session", async () => {
  await using model = await scriptedModel(answers(2));
  await using place = await workspace();
  mkdirSync(join(place.home, ".omp/agent"), { recursive: true });
  writeFileSync(join(place.home, ".omp/agent/terminal-sessions"), "in the way");
  await using terminal = await terminalIn(place, model, [binary, "-p", "hello"]);
  expect(await terminal.exited).toBe(0);
  expect(await sessionFiles(place.home)).toHaveLength(1);
});

test("-c does not take a session of another folder whose name is written the same", async () => {
  await using model = await scriptedModel(answers(2));
  await using place = await workspace();
  const nested = elsewhere(place, "a/b");
  const flat = elsewhere(place, "a-b");
  await run(nested, model, ["-p", "nested"]);
  await run(flat, model, ["-p", "-c", "flat"]);
  expect(chat(model, 1)).toEqual(["user: flat"]);
  const files = await sessionFiles(place.home);
  expect(new Set(files.map(dirname)).size).toBe(1);
  expect(files).toHaveLength(2);
});

test("SOP-33 --no-session stands above --continue and --resume: an empty conversation, nothing written", async () => {
  await using model = await scriptedModel(answers(3));
  await using place = await workspace();
  const file = await firstSession(place, model);
  const before = readFileSync(file, "utf8");
  await run(place, model, ["-p", "--no-session", "--continue", "alone"]);
  await run(place, model, ["-p", "--no-session", "--resume", file, "alone"]);
  expect([chat(model, 1), chat(model, 2)]).toEqual([["user: alone"], ["user: alone"]]);
  expect(await sessionFiles(place.home)).toEqual([file]);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("CLI-13 --fork goes on in a copy and needs storage; the original stays as it is", async () => {
  await using model = await scriptedModel(answers(3));
  await using place = await workspace();
  const file = await firstSession(place, model);
  const { id } = await headerOf(file);
  const before = readFileSync(file, "utf8");
  expect((await run(place, model, ["-p", "--fork", id.slice(0, 13), "second"])).exitCode).toBe(0);
  expect(chat(model, 1)).toEqual(["user: first", "assistant: a0", "user: second"]);
  expect((await run(elsewhere(place), model, ["-p", "--fork", file, "third"])).exitCode).toBe(0);
  const forks = (await sessionFiles(place.home)).filter((path) => path !== file);
  expect(forks).toHaveLength(2);
  for (const fork of forks) expect(await headerOf(fork)).toMatchObject({ parentSession: id });
  expect(readFileSync(file, "utf8")).toBe(before);
  const refused = await run(place, model, ["-p", "--fork", id, "--no-session", "x"]);
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: "Error: --fork requires session persistence\n",
  });
  const missing = await run(place, model, ["-p", "--fork", "no/such.jsonl", "x"]);
  expect(missing.exitCode).toBe(1);
  expect(missing.stderr).toContain("not found.");
});

test("SESS-71 a second process is told and goes on in a fork; no line of the first is disturbed", async () => {
  const { promise: wait, resolve: goOn } = Promise.withResolvers<void>();
  await using model = await scriptedModel([
    turn(say("one")),
    async () => (await wait, turn(say("slow"))),
    turn(say("other")),
  ]);
  await using place = await workspace();
  const file = await firstSession(place, model);
  const options = { cwd: place.path, home: place.home, env: model.environment() };
  await using first = startOmp(["-p", "-c", "slow question"], options);
  await first.closeStdin();
  while (model.requests.length < 2) await Bun.sleep(10);
  const second = await run(place, model, ["-p", "-c", "other question"]);
  expect(second).toMatchObject({ exitCode: 0, stdout: "other\n" });
  expect(second.stderr).toContain(`Process ${first.pid} has ${file} open; going on in a fork: `);
  goOn();
  expect((await first.ended).exitCode).toBe(0);
  const [fork] = (await sessionFiles(place.home)).filter((path) => path !== file);
  const texts = async (path: string) => JSON.stringify(await readJsonl(path));
  expect(await texts(file)).toContain("slow question");
  expect(await texts(file)).not.toContain("other question");
  expect(await texts(fork!)).toContain("other question");
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test("SOP-29 -r and a sentence: the person chooses from a list, then the sentence is sent", async () => {
  await using model = await scriptedModel(answers(5));
  await using place = await workspace();
  await run(place, model, ["-p", "first"]);
  await run(place, model, ["-p", "second"]);
  const command = [binary, "-p", "-r", "fix it"];
  await using terminal = await terminalIn(place, model, command);
  await terminal.waitFor((screen) => screen.join("").includes("Which session? [1-2]"));
  const rows = terminal.screen().filter((line) => /^ +\d /.test(line));
  expect(rows.map((line) => /\d {2}(\w+)/.exec(line)?.[1])).toEqual(["second", "first"]);
  terminal.write("7\r");
  await terminal.waitFor((screen) => screen.join("").includes("no session 7"));
  terminal.write("2\r");
  expect(await terminal.exited).toBe(0);
  expect(chat(model, 2)).toEqual(["user: first", "assistant: a0", "user: fix it"]);

  await using unsure = await terminalIn(place, model, command);
  await unsure.waitFor((screen) => screen.join("").includes("Which session?"));
  unsure.write("\r");
  expect(await unsure.exited).toBe(0);
  expect(unsure.screen().join("\n")).toContain("No session selected");
  await using empty = await terminalIn(elsewhere(place), model, command);
  expect(await empty.exited).toBe(0);
  expect(empty.screen().join("\n")).toContain("No sessions found");
  const alone = await run(place, model, command.slice(1));
  expect(alone.exitCode).toBe(1);
  expect(alone.stderr).toContain("omp sessions list shows them");
  expect(model.requests).toHaveLength(3);
});

test("SOP-07 SOP-08 EXP-01 --export makes a page of a file, tells where, and starts nothing", async () => {
  await using model = await scriptedModel(answers(1));
  await using place = await workspace();
  const file = await firstSession(place, model);
  const page = join(place.path, `omp-session-${basename(file, ".jsonl")}.html`);
  const made = await run(place, model, ["--export", file]);
  expect(made).toMatchObject({ exitCode: 0, stdout: `Exported to: ${page}\n`, stderr: "" });
  expect(readFileSync(page, "utf8")).toContain("session-data");
  const named = await run(place, model, ["--export", file, "page.html"]);
  expect(named.stdout).toBe(`Exported to: ${join(place.path, "page.html")}\n`);
  const missing = await run(place, model, ["--export", "none.jsonl", "no.html"]);
  expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
  expect(missing.stderr).toContain(`File not found: ${join(place.path, "none.jsonl")}`);
  expect(place.exists("no.html")).toBe(false);
  expect(model.requests).toHaveLength(1);
  expect(await sessionFiles(place.home)).toEqual([file]);
});

test("omp sessions lists, searches, shows, checks, tidies and deletes; --json is one document", async () => {
  await using model = await scriptedModel([turn(say("the tide is high")), turn(say("no"))]);
  await using place = await workspace();
  const file = await firstSession(place, model);
  const other = elsewhere(place);
  await run(other, model, ["-p", "other project"]);
  const { id } = await headerOf(file);
  const omp = (...args: string[]) =>
    runOmp(["sessions", ...args], { cwd: place.path, home: place.home });
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await omp(...args, "--json")).stdout);

  expect(await json("list")).toMatchObject([
    { id, name: "first", messageCount: 2, status: "complete" },
  ]);
  expect(await json("list", "--all")).toHaveLength(2);
  expect((await omp("list")).stdout).toMatch(new RegExp(`^${id} .* 2 .* complete +first\n$`));
  expect(await json("search", "TID")).toMatchObject([
    { session: { id }, role: "assistant", snippet: "the tide is high" },
  ]);
  expect(await json("search", "project")).toEqual([]);
  expect(await json("search", "project", "--all")).toHaveLength(1);
  expect(await json("show", id)).toMatchObject({
    id,
    leaves: 1,
    branch: [
      { role: "user", text: "first" },
      { role: "assistant", text: "the tide is high" },
    ],
  });

  writeFileSync(file, `${readFileSync(file, "utf8")}garbage\n`);
  const lines = readFileSync(file, "utf8").split("\n").length - 1;
  const damaged = await omp("fsck");
  expect(damaged.exitCode).toBe(1);
  expect(damaged.stdout).toContain(`line ${lines}: cannot be read`);
  expect((await omp("fsck", "--repair")).exitCode).toBe(0);
  expect(await json("fsck", id)).toMatchObject([{ path: file, problems: [] }]);

  const artifacts = join(dirname(file), "2020-01-02T03-04-05-678Z_gone");
  mkdirSync(artifacts);
  expect(await json("gc")).toMatchObject({ waste: [], removed: [], obstacles: [] });
  const kept = await omp("delete", id);
  expect(kept).toMatchObject({ exitCode: 1 });
  expect(kept.stderr).toContain("--yes");
  expect(await json("delete", id, "--yes")).toEqual({ deleted: [file] });
  expect(existsSync(file)).toBe(false);
  expect(existsSync(join(place.home, ".omp/agent/sessions.db"))).toBe(false);
  expect(await json("search", "tide", "--all")).toEqual([]);

  const wrong = await omp("lst");
  expect(wrong).toMatchObject({ exitCode: 1, stdout: "" });
  expect(wrong.stderr).toMatch(/Did you mean list\?[^]*Usage: omp sessions/);
  expect((await omp("show")).exitCode).toBe(1);
});

test("SESS-02 SESS-03 sessions in a folder with the older name, and with a short id, are found", async () => {
  await using model = await scriptedModel(answers(3));
  await using place = await workspace();
  const file = await firstSession(place, model);
  const older = join(dirname(dirname(file)), `--${place.path.slice(1).replaceAll("/", "-")}--`);
  mkdirSync(older);
  const moved = join(older, "2020-01-02T03-04-05-678Z_fedcba9876543210.jsonl");
  const { id } = await headerOf(file);
  renameSync(file, moved);
  writeFileSync(moved, readFileSync(moved, "utf8").replaceAll(id, "fedcba9876543210"));
  await run(place, model, ["-p", "-r", "fedcba98", "second"]);
  await run(place, model, ["-p", "-c", "third"]);
  expect(chat(model, 2)).toHaveLength(5);
  expect(await sessionFiles(place.home)).toEqual([moved]);
});

const fixtures = resolve(
  process.env["OMP_FIXTURES"] ?? join(import.meta.dir, "../../../shared/fixtures"),
  "sessions",
);

test.skipIf(!existsSync(fixtures))(
  "sessions that other programs wrote are listed and go on where they ended (OMP_FIXTURES)",
  async () => {
    await using place = await workspace();
    const agent = join(place.home, ".omp/agent");
    for (const folder of new Bun.Glob("*/*").scanSync({ cwd: fixtures, onlyFiles: false })) {
      const from = join(fixtures, folder, "sessions");
      if (existsSync(from)) cpSync(from, join(agent, "sessions"), { recursive: true });
    }
    const files = [...new Bun.Glob("*/*.jsonl").scanSync(join(agent, "sessions"))];
    await using model = await scriptedModel(answers(files.length));
    const { stdout } = await run(place, model, ["sessions", "list", "--all", "--json"]);
    const listed = JSON.parse(stdout) as { path: string; id: string; messageCount: number }[];
    expect(listed).toHaveLength(files.length);
    expect(listed.every(({ messageCount }) => messageCount > 1)).toBe(true);
    for (const [at, { path, id }] of listed.entries()) {
      const { size } = statSync(path);
      const value = at % 2 === 0 ? [path] : [id, "--yes"];
      const { exitCode, stderr } = await run(place, model, ["-p", "-r", ...value, "go on"]);
      expect([id, exitCode, exitCode === 0 ? "" : stderr]).toEqual([id, 0, ""]);
      expect(chat(model, at).at(-1)).toEndWith("go on");
      expect(readFileSync(path, "utf8")).toContain("go on");
      expect(statSync(path).size).toBeGreaterThan(size);
    }
    // After a failed first turn, or a clear, there is nothing before the new prompt.
    expect(listed.filter((_, at) => chat(model, at).length > 1).length).toBeGreaterThan(40);
  },
  60_000,
);
