/** The program: parse, pick what to run, load just that. */

import { log, messageOf, sanitize, UserError } from "@omp/std";
import type { CommandRun } from "./cli/command.ts";
import { commands } from "./cli/commands/registry.ts";
import type { Invocation } from "./cli/invocation.ts";
import { parse } from "./cli/parse.ts";
import { version } from "./version.ts";

// Everything is written and closed by now; idle connections must not keep us.
process.exit(await main(process.argv.slice(2)));

async function main(argv: readonly string[]): Promise<number> {
  try {
    const invocation = parse(argv);
    if (invocation.isVersion) return await say(`omp/${version}\n`);
    if (invocation.isHelp)
      return await say((await import("./cli/help.ts")).help(invocation.command));
    const run = await loadRun(invocation);
    const { surroundingsOf } = await import("./surroundings.ts");
    return await run(invocation, await surroundingsOf(invocation));
  } catch (error) {
    await Bun.write(Bun.stderr, `Error: ${sanitize(complaint(error))}\n`);
    return error instanceof UserError ? error.exitCode : 1;
  }
}

function loadRun(invocation: Invocation): Promise<CommandRun> {
  const command = commands.find(({ name }) => name === invocation.command);
  return command ? command.load() : import("./print/run.ts").then(({ runPrint }) => runPrint);
}

async function say(text: string): Promise<number> {
  await Bun.write(Bun.stdout, text);
  return 0;
}

function complaint(error: unknown): string {
  if (error instanceof UserError) return error.message;
  log.error("unexpected", { error: error instanceof Error ? error.stack : String(error) });
  const where = log.file === undefined ? "" : ` Details are in ${log.file}`;
  return `omp failed unexpectedly: ${messageOf(error)}.${where}`;
}
