/** The virtual terminal with a real bash in it. */

import { expect, test } from "bun:test";
import { virtualTerminal, workspace } from "./index.ts";

const BASH = ["bash", "--norc", "--noprofile"];
const PROMPT = { PS1: "$ " };

test("what is typed is echoed and what is run is shown", async () => {
  await using place = await workspace();
  await using terminal = await virtualTerminal({ command: BASH, cwd: place.path, env: PROMPT });
  await terminal.waitFor("$");
  terminal.write("echo $((6 * 7)) $TERM $(stty size)\r");
  await terminal.waitFor("42 xterm-256color 24 80");
  await terminal.waitFor((screen) => screen[2] === "$");
  expect(terminal.screen().slice(0, 3)).toEqual([
    "$ echo $((6 * 7)) $TERM $(stty size)",
    "42 xterm-256color 24 80",
    "$",
  ]);
  expect(terminal.screen().length).toBe(24);
  terminal.write("exit 7\r");
  expect(await terminal.exited).toBe(7);
});

test("cursor addressing, wide characters and raw bytes", async () => {
  await using place = await workspace();
  const script = `printf '\\033[2J\\033[5;10Hhere\\033[3;4H日本'`;
  await using terminal = await virtualTerminal({
    command: ["bash", "-c", script],
    cwd: place.path,
  });
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()[4]).toBe(`${" ".repeat(9)}here`);
  expect(terminal.screen()[2]).toBe("   日本");
  expect(terminal.cursor()).toEqual({ row: 2, column: 7 });
  expect(new TextDecoder().decode(terminal.rawBytes())).toBe("\x1b[2J\x1b[5;10Hhere\x1b[3;4H日本");
});

test("a resize reaches the program and the screen", async () => {
  await using place = await workspace();
  const script = "trap 'stty size' WINCH; echo ready; while :; do read -t 0.05; done";
  await using terminal = await virtualTerminal({
    command: ["bash", "-c", script],
    cwd: place.path,
  });
  await terminal.waitFor("ready");
  terminal.resize(100, 30);
  await terminal.waitFor("30 100");
  expect(terminal.screen().length).toBe(30);
});

test("questions of a program about the terminal are answered", async () => {
  await using place = await workspace();
  const script = `printf 'abc\\033[6n'; IFS= read -rs -d R answer; printf '\\nanswer %q' "$answer"`;
  await using terminal = await virtualTerminal({
    command: ["bash", "-c", script],
    cwd: place.path,
  });
  await terminal.waitFor("1;4");
});

test("a flood of 1000 lines: the end on the screen, the rest in the scrollback, no byte lost", async () => {
  await using place = await workspace();
  const flood = "for ((i = 1; i <= 1000; i++)); do echo line $i; done; printf end";
  await using terminal = await virtualTerminal({
    command: ["bash", "-c", flood],
    cwd: place.path,
    rows: 10,
  });
  expect(await terminal.exited).toBe(0);
  const lines = Array.from({ length: 1000 }, (_, i) => `line ${i + 1}`);
  expect([...terminal.scrollback(), ...terminal.screen()]).toEqual([...lines, "end"]);
  expect(terminal.screen().length).toBe(10);
  expect(new TextDecoder().decode(terminal.rawBytes())).toBe(`${lines.join("\r\n")}\r\nend`);
});

test("waitFor that waits in vain says what is on the screen", async () => {
  await using place = await workspace();
  await using terminal = await virtualTerminal({
    command: ["bash", "-c", "echo something else; sleep 300"],
    cwd: place.path,
  });
  await terminal.waitFor("something");
  await expect(terminal.waitFor("never", 20)).rejects.toThrow(
    "not on the screen after 20 ms: never\nsomething else",
  );
});

test("dispose ends the program and what it started", async () => {
  await using place = await workspace();
  const script = "sleep 300 & echo pids $$ $!; wait";
  const terminal = await virtualTerminal({ command: ["bash", "-c", script], cwd: place.path });
  await terminal.waitFor(([line]) => /^pids \d+ \d+/.test(line ?? ""));
  const [, shell, child] = /^pids (\d+) (\d+)/.exec(terminal.screen()[0] ?? "") ?? [];
  expect(Number(shell)).toBe(terminal.pid);
  await terminal[Symbol.asyncDispose]();
  for (const pid of [shell, child]) {
    const { stdout } = Bun.spawnSync(["ps", "-o", "stat=", "-p", pid!]);
    expect(stdout.toString().trim().replace(/^Z.*/, "")).toBe("");
  }
});
