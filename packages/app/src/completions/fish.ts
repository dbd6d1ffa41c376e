/** Completions for fish. */

import type { ShellFlag, Vocabulary } from "./vocabulary.ts";

export function fishScript({ commands, flags }: Vocabulary): string {
  const lines = [
    "# Completions of omp for fish.",
    ...commands.map(({ name, help }) => line("__fish_is_first_arg", `-a ${name}`, help)),
    ...commands.flatMap(({ name, words }) =>
      words.map(({ word, help }) => line(isFirstAfter(name), `-f -a ${word}`, help)),
    ),
    ...flags.map((flag) => line(undefined, options(flag), flag.help)),
    ...commands.flatMap(({ name, flags: own }) =>
      own.map((flag) => line(`__fish_seen_subcommand_from ${name}`, options(flag), flag.help)),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function isFirstAfter(command: string): string {
  return `__fish_seen_subcommand_from ${command}; and test (count (commandline -opc)) -eq 2`;
}

function line(condition: string | undefined, what: string, help: string): string {
  const when = condition === undefined ? "" : ` -n ${quoted(condition)}`;
  return `complete -c omp${when} ${what} -d ${quoted(help)}`;
}

function options({ spellings, value }: ShellFlag): string {
  const names = spellings.map((spelling) =>
    spelling.startsWith("--") ? `-l ${spelling.slice(2)}` : `-s ${spelling.slice(1)}`,
  );
  return [...names, ...valueOptions(value)].join(" ");
}

function valueOptions(value: ShellFlag["value"]): string[] {
  switch (value.kind) {
    case "none":
      return [];
    case "choice":
      return [`-x -a ${quoted(value.words.join(" "))}`];
    case "folder":
      return ["-x -a '(__fish_complete_directories)'"];
    case "file":
      return ["-r -F"];
    case "text":
      return ["-x"];
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
