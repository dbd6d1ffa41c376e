/** The completion scripts, sourced and used in the real shells. */

import {
  runOmp,
  virtualTerminal,
  workspace,
  type VirtualTerminal,
  type Workspace,
} from "@omp/testkit";
import { expect, test } from "bun:test";
import { needs } from "../needs.ts";

async function script(place: Workspace, shell: string): Promise<string> {
  const { stdout, stderr, exitCode } = await runOmp(["completions", shell], {
    cwd: place.path,
    home: place.home,
  });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return place.write(`omp.${shell}`, stdout);
}

/** A shell at its prompt, with the script sourced. */
async function shellWith(
  place: Workspace,
  command: readonly string[],
  setUp: string,
): Promise<VirtualTerminal> {
  const terminal = await virtualTerminal({
    command,
    cwd: place.path,
    env: { HOME: place.home, PS1: "> ", ZDOTDIR: place.home, INPUTRC: "/dev/null" },
    cols: 120,
    rows: 60,
  });
  terminal.write(`${setUp}; echo rea""dy\r`);
  await terminal.waitFor("ready");
  return terminal;
}

/** Types a line with a Tab at its end, waits for all of the words, and takes the line away. */
async function offers(terminal: VirtualTerminal, line: string, words: readonly string[]) {
  terminal.write(`${line}\t`);
  await terminal.waitFor((screen) => {
    const text = screen.join("\n");
    return words.every((word) => text.includes(word));
  });
  terminal.write("\x15\x0c");
  await terminal.waitFor((screen) => !screen.join("\n").includes(words[0]!));
}

/** What every shell must know: commands, their words and flags, aliases, and values of flags. */
async function knowsTheCommandLine(terminal: VirtualTerminal) {
  await offers(terminal, "omp comp", ["omp completions"]);
  await offers(terminal, "omp completions f", ["omp completions fish"]);
  await offers(terminal, "omp config ", ["list", "reset", "path"]);
  await offers(terminal, "omp config list --js", ["omp config list --json"]);
  await offers(terminal, "omp --mode", ["--mode", "--model", "--models"]);
  await offers(terminal, "omp --auto-a", ["omp --auto-approve"]);
  await offers(terminal, "omp --approval-mode w", ["omp --approval-mode write"]);
  await offers(terminal, "omp --thinking=xh", ["omp --thinking=xhigh"]);
  await offers(terminal, "omp --config sett", ["omp --config settings.yml"]);
  await offers(terminal, "omp --cwd sub", ["omp --cwd subfolder/"]);
}

async function workplace(): Promise<Workspace> {
  return workspace({ files: { "settings.yml": "", "subfolder/x": "", subfile: "" } });
}

needs("bash")("CLI-34 bash completes commands, flags and values", async () => {
  await using place = await workplace();
  const path = await script(place, "bash");
  await using terminal = await shellWith(
    place,
    ["bash", "--norc", "--noprofile", "-i"],
    `bind 'set show-all-if-ambiguous on'; source ${path}`,
  );
  await knowsTheCommandLine(terminal);
});

needs("zsh")("CLI-34 zsh completes commands, flags and values", async () => {
  await using place = await workplace();
  const path = await script(place, "zsh");
  await using terminal = await shellWith(
    place,
    ["zsh", "-f", "-i"],
    `autoload -U compinit; compinit -D -u; source ${path}`,
  );
  await knowsTheCommandLine(terminal);
  await offers(terminal, "omp mod", ["omp models"]);
});

needs("fish")("CLI-34 fish completes commands, flags and values, with their meaning", async () => {
  await using place = await workplace();
  const path = await script(place, "fish");
  const complete = async (line: string): Promise<string[]> => {
    const command = `source ${path}; complete -C '${line}'`;
    const child = Bun.spawn(["fish", "--no-config", "-c", command], {
      cwd: place.path,
      env: { PATH: process.env["PATH"], HOME: place.home },
      stdin: "ignore",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect(stderr).toBe("");
    return stdout.trimEnd().split("\n");
  };
  const words = async (line: string) => (await complete(line)).map((row) => row.split("\t")[0]!);
  expect(await complete("omp comp")).toEqual([
    "completions\tPrint a script that makes your shell complete commands and flags",
  ]);
  expect(await words("omp completions ")).toEqual(["bash", "fish", "zsh"]);
  expect(await words("omp config list --js")).toEqual(["--json"]);
  expect(await words("omp --js")).not.toContain("--json");
  expect(await words("omp --mode")).toEqual(["--mode", "--model", "--models"]);
  expect(await words("omp --auto-a")).toEqual(["--auto-approve"]);
  expect(await words("omp --approval-mode ")).toEqual(["always-ask", "write", "yolo"]);
  expect(await words("omp --config sett")).toEqual(["settings.yml"]);
  expect(await words("omp --cwd sub")).toEqual(["subfolder/"]);
});

test("CLI-34 any other shell gets the usage on stderr and exit code 1", async () => {
  await using place = await workspace();
  for (const args of [["completions"], ["completions", "tcsh"], ["completions", "constructor"]]) {
    const { stdout, stderr, exitCode } = await runOmp(args, { cwd: place.path, home: place.home });
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toContain("Usage: omp completions <bash|zsh|fish>");
  }
});
