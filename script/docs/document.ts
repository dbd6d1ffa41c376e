/** What a generated reference is: a file under docs/reference and the function that writes it. */

export interface Document {
  readonly file: string;
  render(): Promise<string>;
}

/** Says in the file itself that editing it is in vain. */
export function page(title: string, source: string, sections: readonly string[]): string {
  const notice = `<!-- Generated from ${source} by \`npm run docs\`. Do not edit. -->`;
  return [notice, `# ${title}`, ...sections].join("\n\n") + "\n";
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** A table cell is one line, and a bar in it would end it. */
function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}
