/** From argv to an Invocation. Looks at nothing but the words. */

import { nearest, UserError } from "@omp/std";
import { commands } from "./commands/registry.ts";
import type { Flag } from "./flag.ts";
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
    if (word.startsWith("--")) applyLong(word.slice(2), words, invocation);
    else if (word.startsWith("-") && word.length > 1) applyShort(word.slice(1), words, invocation);
    else if (word.startsWith("@") && word.length > 1) invocation.files.push(word.slice(1));
    else invocation.messages.push(word);
  }
  return invocation;
}

/** `name`, `name=value`, or `name` with the value as the next word. */
function applyLong(text: string, rest: string[], invocation: Invocation): void {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  const flag = flags.find((known) => known.name === name || known.aliases?.includes(name));
  if (!flag) throw unknownFlag(name);
  const inline = equals < 0 ? undefined : text.slice(equals + 1);
  if (inline !== undefined && flag.value === undefined) {
    throw new UserError("usage", `--${name} takes no value`);
  }
  apply(flag, `--${name}`, inline, rest, invocation);
}

/** `-c`, or several switches in one word (`-pc`). */
function applyShort(letters: string, rest: string[], invocation: Invocation): void {
  for (const letter of letters) {
    const flag = flags.find((known) => known.short === letter);
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
  const value = inline ?? rest.shift();
  if (value === undefined) throw new UserError("usage", `${spelling} needs a value: ${flag.value}`);
  return flag.apply(invocation, value);
}

function unknownFlag(name: string): UserError {
  const known = flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])]);
  const guess = nearest(name, known);
  const hint = guess === undefined ? "Run omp --help for all flags." : `Did you mean --${guess}?`;
  return new UserError("usage", `unknown flag: --${name}\n${hint}`);
}
