/** What a model may have meant by a pattern that is no regular expression. Pure. */

/** How ripgrep is asked. */
export interface Dialect {
  readonly pattern: string;
  readonly engine: "default" | "pcre2" | "literal";
}

/** To be tried in this order until one can be read. The last one always can. */
export function dialectsOf(pattern: string): readonly Dialect[] {
  const repaired = withoutStrays(pattern);
  return [
    { pattern, engine: "default" },
    ...(NEEDS_PCRE2.test(pattern) ? [{ pattern, engine: "pcre2" } as const] : []),
    ...(repaired === pattern ? [] : [{ pattern: repaired, engine: "default" } as const]),
    { pattern, engine: "literal" },
  ];
}

/** Looking around, back references, atomic groups and possessive repetition. */
const NEEDS_PCRE2 = /\(\?(?:[=!>]|<[=!])|\\[1-9]|\\k[<{']|[*+?}]\+/;

/** A line feed, or the two characters that stand for one. */
export function spansLines(pattern: string): boolean {
  return pattern.includes("\n") || pattern.includes("\\n");
}

/** Braces that repeat nothing, and brackets and parentheses without their other half, stand for themselves. */
function withoutStrays(pattern: string): string {
  const parts = partsOf(pattern);
  const open: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (part === "(") open.push(index);
    else if (part === ")" && open.pop() === undefined) parts[index] = "\\)";
    else if (part === "{" || part === "}" || part === "[") {
      parts[index] = `\\${part}`;
      // The end of a line cannot be followed by a brace: `${name}` is meant as it is written.
      if (part === "{" && parts[index - 1] === "$") parts[index - 1] = "\\$";
    }
  }
  for (const index of open) parts[index] = "\\(";
  return parts.join("");
}

/** Escapes, classes and repetitions stay whole. */
function partsOf(pattern: string): string[] {
  return (
    pattern.match(
      /\\[pPxuUoNkg]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|(?<=[^({|])\{\d+(?:,\d*)?\}|./gsu,
    ) ?? []
  );
}
