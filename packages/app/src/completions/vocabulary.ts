/** What a shell needs to know of the command line, from the tables of commands and flags. */

import type { CliCommand } from "../cli/command.ts";
import type { CommandFlag } from "../cli/flag.ts";

/** What follows a flag: nothing, one of these words, a path, or something only the person knows. */
type Value =
  | { readonly kind: "none" | "file" | "folder" | "text" }
  | { readonly kind: "choice"; readonly words: readonly string[] };

export interface ShellFlag {
  /** With dashes: `--continue`, `-c`. */
  readonly spellings: readonly string[];
  readonly value: Value;
  readonly help: string;
}

export interface ShellCommand {
  readonly name: string;
  readonly help: string;
  /** What may come right after the name. */
  readonly words: readonly { readonly word: string; readonly help: string }[];
  readonly flags: readonly ShellFlag[];
}

export interface Vocabulary {
  readonly commands: readonly ShellCommand[];
  readonly flags: readonly ShellFlag[];
}

export function vocabularyOf(
  commands: readonly CliCommand[],
  flags: readonly CommandFlag[],
): Vocabulary {
  return {
    commands: commands.map(({ name, summary, forms = [], flags: own = [] }) => ({
      name,
      help: summary,
      words: forms.flatMap(([form, help]) => {
        const word = form.split(" ")[0]!;
        return /^[a-z]/.test(word) ? [{ word, help }] : [];
      }),
      flags: own.map(shellFlag),
    })),
    flags: flags.map(shellFlag),
  };
}

function shellFlag({ name, short, aliases = [], value, choices, help }: CommandFlag): ShellFlag {
  const spellings = [name, ...aliases].map((one) => `--${one}`);
  if (short !== undefined) spellings.push(`-${short}`);
  return { spellings, value: valueOf(value, choices), help };
}

function valueOf(value: string | undefined, choices: readonly string[] | undefined): Value {
  if (value === undefined) return { kind: "none" };
  if (choices) return { kind: "choice", words: choices };
  if (/\bfolder\b/.test(value)) return { kind: "folder" };
  return { kind: /\b(file|path)\b/.test(value) ? "file" : "text" };
}
