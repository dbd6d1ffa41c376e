/** `omp completions <shell>`: prints the script for one shell. */

import { UserError } from "@omp/std";
import type { CommandRun } from "../cli/command.ts";
import { commands } from "../cli/commands/registry.ts";
import { flags } from "../cli/flags/registry.ts";
import { createOutput } from "../headless/output.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { vocabularyOf, type Vocabulary } from "./vocabulary.ts";
import { zshScript } from "./zsh.ts";

const SHELLS: Readonly<Record<string, (vocabulary: Vocabulary) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const runCompletions: CommandRun = async ({ messages: [shell] }) => {
  const known = Object.keys(SHELLS).join(", ");
  if (shell === undefined) throw new UserError("misuse", `Which shell? ${known}`);
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (!script) throw new UserError("misuse", `No completions for "${shell}", only for ${known}`);
  const output = createOutput(() => {});
  output.write(script(vocabularyOf(commands, flags)));
  await output.flush();
  return 0;
};
