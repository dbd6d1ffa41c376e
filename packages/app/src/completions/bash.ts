/** Completions for bash, without the bash-completion package. */

import type { ShellFlag, Vocabulary } from "./vocabulary.ts";

export function bashScript({ commands, flags }: Vocabulary): string {
  const all = [...flags, ...commands.flatMap((command) => command.flags)];
  const names = commands.map(({ name }) => name);
  return `# Completions of omp for bash.
_omp() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= words= flags=
  # \`--flag=value\` comes as three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
  case $prev in
${valueCases(all).join("\n")}
  esac
  if ((COMP_CWORD > 1)); then command=\${COMP_WORDS[1]}; fi
  flags="${spellings(flags)}"
  case $command in
    '') words="${names.join(" ")}" ;;
${commands.map((command) => `    ${command.name}) ${commandWords(command)} ;;`).join("\n")}
  esac
  # What an empty reply leaves is completed as a file.
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif ((COMP_CWORD < 3)); then COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -o bashdefault -o default -F _omp omp
`;
}

function valueCases(flags: readonly ShellFlag[]): string[] {
  return flags.flatMap(({ spellings: names, value }) => {
    const pattern = `    ${names.join("|")})`;
    switch (value.kind) {
      case "none":
        return [];
      case "choice":
        return [
          `${pattern} COMPREPLY=($(compgen -W "${value.words.join(" ")}" -- "$cur")); return ;;`,
        ];
      case "folder":
        return [`${pattern} compopt -o dirnames +o default +o bashdefault; return ;;`];
      case "file":
      case "text":
        return [`${pattern} return ;;`];
    }
  });
}

function commandWords({ words, flags }: Vocabulary["commands"][number]): string {
  const own = flags.length > 0 ? `; flags="$flags ${spellings(flags)}"` : "";
  return `words="${words.map(({ word }) => word).join(" ")}"${own}`;
}

function spellings(flags: readonly ShellFlag[]): string {
  return flags.flatMap((flag) => flag.spellings).join(" ");
}
