/** What a person means by what they typed: words for the model, a command of the shell, or Python. Pure. */

export interface Typed {
  readonly kind: "prompt" | "bash" | "python";
  /** Without the marks. */
  readonly text: string;
  /** `!!` and `$$`: the model never sees it. */
  readonly isExcluded: boolean;
}

/** For front ends with a person in front; what a program sends is a prompt. */
export function routeTyped(typed: string): Typed {
  return marked(typed, "!", "bash") ?? marked(typed, "$", "python") ?? prompt(typed);
}

function marked(typed: string, mark: string, kind: "bash" | "python"): Typed | undefined {
  if (!typed.startsWith(mark)) return undefined;
  const isExcluded = typed.startsWith(mark + mark);
  const text = typed.slice(isExcluded ? 2 : 1);
  if (text.trim() === "") return undefined;
  return kind === "python" && !isExcluded && isProse(text)
    ? undefined
    : { kind, text: text.trim(), isExcluded };
}

/** `$5 is too much`, `$HOME is empty`, `${x} fails`: a price or a variable begins a sentence, not a program. */
function isProse(text: string): boolean {
  return !/^[\sa-zA-Z_]/.test(text) || /^[A-Z_][A-Z0-9_]*(\s|$)/.test(text);
}

function prompt(text: string): Typed {
  return { kind: "prompt", text, isExcluded: false };
}
