/** From argv to an Invocation. Looks at nothing but the words. */

import { nearest, UserError } from "@omp/std";
import type { CliCommand } from "./command.ts";
import { commands } from "./commands/registry.ts";
import type { CommandFlag, Flag } from "./flag.ts";
import { flags } from "./flags/registry.ts";
import { emptyInvocation, type Invocation } from "./invocation.ts";

export function parse(argv: readonly string[]): Invocation {
  const invocation = emptyInvocation();
  const words = [...argv];
  const first = words[0];
  if (first !== undefined && commands.some(({ name }) => name === first)) {
    invocation.command = words.shift();
  }
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "--") {
      invocation.messages.push(...words);
      break;
    }
    // Asked anew each time: a flag may name the subcommand.
    const known = knownFlags(commandOf(invocation));
    if (word.startsWith("--")) applyLong(word.slice(2), words, invocation, known);
    else if (word.startsWith("-") && word.length > 1)
      applyShort(word.slice(1), words, invocation, known);
    else if (word.startsWith("@") && word.length > 1) invocation.files.push(word.slice(1));
    else invocation.messages.push(word);
  }
  refuseSpareWords(invocation);
  refuseInRpc(invocation);
  return invocation;
}

/** The subcommand's flags hide general ones of the same name. */
function knownFlags(command: CliCommand | undefined): readonly Flag[] {
  const own = (command?.flags ?? []).map((flag) => ({ ...flag, ...storing(flag) }));
  return own.length === 0 ? flags : [...own, ...flags];
}

function storing({ name }: CommandFlag): Pick<Flag, "category" | "apply"> {
  return {
    category: "Other",
    apply: (invocation, value) => void (invocation.options[name] = value),
  };
}

function commandOf({ command }: Invocation): CliCommand | undefined {
  return command === undefined ? undefined : commands.find(({ name }) => name === command);
}

function refuseSpareWords(invocation: Invocation): void {
  const command = commandOf(invocation);
  if (!command || invocation.isHelp) return;
  const spare = invocation.messages[command.maxWords ?? 0];
  if (spare === undefined) return;
  throw new UserError(
    "misuse",
    `omp ${command.name} does not take "${spare}"\nUsage: ${command.usage}`,
  );
}

/** Who drives us over RPC sets limits and schemas for each prompt. */
function refuseInRpc({ command, mode, maxTimeMs, outputSchema }: Invocation): void {
  if (command !== undefined || mode === "text" || mode === "json") return;
  if (maxTimeMs === undefined && outputSchema === undefined) return;
  throw new UserError("usage", "--max-time and --output-schema are for -p and --mode json");
}

/** `name`, `name=value`, or `name` with the value as the next word. */
function applyLong(
  text: string,
  rest: string[],
  invocation: Invocation,
  known: readonly Flag[],
): void {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  const flag = known.find((one) => one.name === name || one.aliases?.includes(name));
  if (!flag) throw unknownFlag(name, known);
  const inline = equals < 0 ? undefined : text.slice(equals + 1);
  if (inline !== undefined && flag.value === undefined) {
    throw new UserError("usage", `--${name} takes no value`);
  }
  apply(flag, `--${name}`, inline, rest, invocation);
}

/** `-c`, or several switches in one word (`-pc`). */
function applyShort(
  letters: string,
  rest: string[],
  invocation: Invocation,
  known: readonly Flag[],
): void {
  for (const letter of letters) {
    const flag = known.find((one) => one.short === letter);
    if (!flag) throw new UserError("usage", `unknown flag: -${letters}`);
    apply(flag, `-${letter}`, undefined, rest, invocation);
  }
}

function apply(
  flag: Flag,
  spelling: string,
  inline: string | undefined,
  rest: string[],
  invocation: Invocation,
): void {
  if (flag.value === undefined) return flag.apply(invocation, "");
  const isLeftOut = flag.isValueOptional && !isMeant(flag, rest[0]);
  const value = inline ?? (isLeftOut ? "" : rest.shift());
  if (value === undefined) throw new UserError("usage", `${spelling} needs a value: ${flag.value}`);
  return flag.apply(invocation, value);
}

function isMeant(flag: Flag, word: string | undefined): boolean {
  if (word === undefined || word.startsWith("-")) return false;
  return flag.takes?.(word) ?? true;
}

function unknownFlag(name: string, known: readonly Flag[]): UserError {
  const names = known.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])]);
  const guess = nearest(name, names);
  const hint = guess === undefined ? "Run omp --help for all flags." : `Did you mean --${guess}?`;
  return new UserError("usage", `unknown flag: --${name}\n${hint}`);
}
