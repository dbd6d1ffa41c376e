/** The text of `omp --help` and `omp <command> --help`, made from the registries. */

import type { CliCommand } from "./command.ts";
import { commands } from "./commands/registry.ts";
import type { CommandFlag } from "./flag.ts";
import { flags } from "./flags/registry.ts";

const COLUMN = 36;

export function help(commandName: string | undefined): string {
  const command = commands.find(({ name }) => name === commandName);
  if (command) return commandHelp(command);
  const rows = commands.map(({ name, summary }) => row(name, summary));
  return [
    "omp: a coding agent for the terminal.",
    "",
    'Usage: omp [flags] ["prompt" ...] [@file ...]',
    "       omp <command>",
    "",
    "Text on standard input is put before the first prompt.",
    "",
    "Commands:",
    ...rows,
    ...[...new Set(flags.map(({ category }) => category))].flatMap((category) => [
      "",
      `${category}:`,
      ...flags
        .filter((flag) => flag.category === category)
        .map((flag) => row(spelling(flag), flag.help)),
    ]),
    "",
  ].join("\n");
}

function commandHelp({ summary, usage, forms = [], flags: own = [] }: CliCommand): string {
  const rows = [
    ...forms.map(([words, meaning]) => row(words, meaning)),
    ...own.map((flag) => row(spelling(flag), flag.help)),
  ];
  return [`${summary}.`, "", `Usage: ${usage}`, ...(rows.length > 0 ? ["", ...rows] : []), ""].join(
    "\n",
  );
}

function spelling({ name, short, aliases, value }: CommandFlag): string {
  const names = [
    ...(short ? [`-${short}`] : []),
    `--${name}`,
    ...(aliases ?? []).map((alias) => `--${alias}`),
  ];
  return names.join(", ") + (value === undefined ? "" : ` ${value}`);
}

function row(left: string, right: string): string {
  const start = `  ${left}`;
  return start.length < COLUMN
    ? start.padEnd(COLUMN) + right
    : `${start}\n${" ".repeat(COLUMN)}${right}`;
}
