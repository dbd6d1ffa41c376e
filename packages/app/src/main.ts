/** The program: parse, pick what to run, load just that. */

import { log, messageOf, sanitize, UserError } from "@omp/std";
import type { CommandRun, Surroundings } from "./cli/command.ts";
import { commands } from "./cli/commands/registry.ts";
import type { Invocation, OutputMode } from "./cli/invocation.ts";
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
    const { surroundingsOf } = await import("./surroundings.ts");
    const surroundings = await surroundingsOf(invocation);
    return await timedRun(invocation, surroundings);
  } catch (error) {
    await Bun.write(Bun.stderr, `Error: ${sanitize(complaint(error))}\n`);
    return error instanceof UserError ? error.exitCode : 1;
  }
}

async function timedRun(invocation: Invocation, surroundings: Surroundings): Promise<number> {
  const { timing } = surroundings;
  const name = invocation.command ?? invocation.mode;
  try {
    const run = await timing.span(`cli:load:${name}`, () => loadRun(invocation));
    return await run(invocation, surroundings);
  } catch (error) {
    throw withUsage(error, invocation);
  } finally {
    const tree = timing.tree();
    if (tree !== "") await Bun.write(Bun.stderr, tree);
  }
}

function withUsage(error: unknown, { command }: Invocation): unknown {
  const usage = commands.find(({ name }) => name === command)?.usage;
  if (usage === undefined || !(error instanceof UserError) || error.kind !== "misuse") return error;
  return new UserError("misuse", `${error.message}\nUsage: ${usage}`);
}

function loadRun(invocation: Invocation): Promise<CommandRun> {
  if (invocation.exportFile !== undefined)
    return import("./sessions/export.ts").then(({ runExport }) => runExport);
  const command = commands.find(({ name }) => name === invocation.command);
  return command ? command.load() : frontEnd(invocation.mode);
}

async function frontEnd(mode: OutputMode): Promise<CommandRun> {
  switch (mode) {
    case "text":
    case "json":
      return (await import("./print/run.ts")).runPrint;
    case "rpc":
    case "rpc-ui":
      return (await import("./rpc/run.ts")).runRpc;
  }
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
