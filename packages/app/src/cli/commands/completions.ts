/** `omp completions`: what makes a shell complete omp's commands and flags. */

import type { CliCommand } from "../command.ts";

export const completions: CliCommand = {
  name: "completions",
  summary: "Print a script that makes your shell complete commands and flags",
  usage: "omp completions <bash|zsh|fish>",
  forms: [
    ["bash", 'In ~/.bashrc: eval "$(omp completions bash)"'],
    ["zsh", 'In ~/.zshrc, after compinit: eval "$(omp completions zsh)"'],
    ["fish", "omp completions fish > ~/.config/fish/completions/omp.fish"],
  ],
  maxWords: 1,
  load: async () => (await import("../../completions/run.ts")).runCompletions,
};
