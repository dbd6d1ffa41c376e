/** The program: parse, pick what to run, load just that. */

import { codeOf, log, messageOf, sanitize, UserError } from "@omp/std";
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { CommandRun, Surroundings } from "./cli/command.ts";
import { commands } from "./cli/commands/registry.ts";
import type { Invocation } from "./cli/invocation.ts";
import { parse } from "./cli/parse.ts";
import { version } from "./version.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  try {
    const invocation = parse(argv);
    if (invocation.isVersion) return say(`omp/${version}\n`);
    if (invocation.isHelp) return say((await import("./cli/help.ts")).help(invocation.command));
    const run = await loadRun(invocation);
    return await run(invocation, surroundings(invocation));
  } catch (error) {
    return report(error);
  }
}

function loadRun(invocation: Invocation): Promise<CommandRun> {
  const command = commands.find(({ name }) => name === invocation.command);
  return command ? command.load() : import("./print/run.ts").then(({ runPrint }) => runPrint);
}

function surroundings({ cwd }: Invocation): Surroundings {
  const environment = process.env;
  const home = environment["HOME"] || homedir();
  return { cwd: existingFolder(cwd), home, environment };
}

function existingFolder(wanted: string | undefined): string {
  let folder = wanted ?? ".";
  try {
    folder = resolve(wanted ?? process.cwd());
    if (statSync(folder).isDirectory()) return folder;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    const advice = "Change to a folder that exists, or name one with --cwd.";
    const what =
      wanted === undefined ? "The current folder no longer exists" : `No such folder: ${folder}`;
    throw new UserError("file-not-found", `${what}. ${advice}`, { cause: error });
  }
  throw new UserError("bad-input", `Not a folder: ${folder}`);
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function report(error: unknown): number {
  if (error instanceof UserError) {
    process.stderr.write(`Error: ${sanitize(error.message)}\n`);
    return error.exitCode;
  }
  log.error("unexpected", { error: error instanceof Error ? error.stack : String(error) });
  const where = log.file ? ` Details are in ${log.file}` : "";
  process.stderr.write(`Error: omp failed unexpectedly: ${sanitize(messageOf(error))}.${where}\n`);
  return 1;
}
