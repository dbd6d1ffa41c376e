/** From the text after a slash command to its arguments. */

/**
 * Split at blanks. Quotes keep blanks and are taken away; inside double quotes `\"` stands for a quote,
 * every other backslash for itself. A quote that is not closed runs to the end.
 */
export function splitArguments(text: string): string[] {
  const found: string[] = [];
  let current: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
      else if (quote === '"' && letter === "\\" && text[at + 1] === '"') current += text[++at]!;
      else current += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      current ??= "";
    } else if (/\s/.test(letter)) {
      if (current !== undefined) found.push(current);
      current = undefined;
    } else {
      current = (current ?? "") + letter;
    }
  }
  return current === undefined ? found : [...found, current];
}
