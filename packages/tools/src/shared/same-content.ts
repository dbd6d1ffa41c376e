/** When two texts count as the same: what a person cannot see does not make a difference. */

/** Without the byte order mark, carriage returns and blanks at line ends. */
export function sameContent(text: string): string {
  const parts: string[] = [];
  let from = text.startsWith("\ufeff") ? 1 : 0;
  for (let end = text.indexOf("\n"); ; end = text.indexOf("\n", end + 1)) {
    const stop = end === -1 ? text.length : end;
    const trimmed = trimmedEnd(text, stop);
    if (trimmed < stop) {
      if (trimmed > from) parts.push(text.slice(from, trimmed));
      from = stop;
    }
    if (end === -1) break;
  }
  if (parts.length === 0) return text.slice(from);
  parts.push(text.slice(from));
  return parts.join("");
}

/** The same for one line. */
export function sameLine(line: string): string {
  return line.slice(0, trimmedEnd(line, line.length));
}

/** Where the line that ends at `end` ends without its blanks. By hand: a pattern would be quadratic in long gaps. */
function trimmedEnd(text: string, end: number): number {
  let at = end;
  while (at > 0 && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}
