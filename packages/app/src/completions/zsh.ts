/** Completions for zsh: sourced after compinit, or as a file `_omp` in fpath. */

import type { ShellFlag, Vocabulary } from "./vocabulary.ts";

export function zshScript({ commands, flags }: Vocabulary): string {
  const all = [...flags, ...commands.flatMap((command) => command.flags)];
  return `#compdef omp
# Completions of omp for zsh.
_omp() {
  local previous=\${words[CURRENT-1]}
  local -a flags choices
  # \`--flag=value\`: what stands before the value is no part of it.
  if [[ \${words[CURRENT]} == --*=* ]]; then
    previous=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  case $previous in
${valueCases(all).join("\n")}
  esac
  flags=(
${flags.flatMap(described).join("\n")}
  )
  if ((CURRENT == 2)); then
    choices=(
${commands.map(({ name, help }) => item(name, help)).join("\n")}
    )
  else
    case \${words[2]} in
${commands.map(commandCase).join("\n")}
    esac
  fi
  if [[ \${words[CURRENT]} == -* ]]; then _describe -o flag flags
  elif [[ \${words[CURRENT]} == @* ]]; then compset -P @; _files
  else
    ((CURRENT < 4 && \${#choices})) && _describe command choices
    _files
  fi
}
if [[ \${funcstack[1]} == _omp ]]; then _omp "$@"; else compdef _omp omp; fi
`;
}

function valueCases(flags: readonly ShellFlag[]): string[] {
  return flags.flatMap(({ spellings, value }) => {
    const pattern = `    ${spellings.join("|")})`;
    switch (value.kind) {
      case "none":
        return [];
      case "choice":
        return [`${pattern} compadd -- ${value.words.join(" ")}; return ;;`];
      case "folder":
        return [`${pattern} _files -/; return ;;`];
      case "file":
        return [`${pattern} _files; return ;;`];
      case "text":
        return [`${pattern} _message value; return ;;`];
    }
  });
}

function commandCase({ name, words, flags }: Vocabulary["commands"][number]): string {
  const choices = words.map(({ word, help }) => item(word, help)).join("");
  const own = flags.flatMap(described).join("");
  return `      ${name}) choices=(${choices}); flags+=(${own}) ;;`;
}

function described({ spellings, help }: ShellFlag): string[] {
  return spellings.map((spelling) => item(spelling, help));
}

/** `word:meaning`, as _describe takes it. */
function item(word: string, help: string): string {
  const meaning = help.replaceAll("\\", "\\\\").replaceAll(":", "\\:").replaceAll("'", "'\\''");
  return ` '${word}:${meaning}'`;
}
