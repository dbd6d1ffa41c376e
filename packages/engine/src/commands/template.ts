/** Puts the arguments of a slash command into its text. What is put in is data: it is never looked at again. */

import { splitArguments } from "./arguments.ts";

/** One pattern for all of them, so that one walk over the template sees only the template's own text. */
const PLACEHOLDER =
  /\$@\[(?<start>\d+)(?::(?<length>\d+))?\]|\$(?<position>\d+)|(?<all>\$ARGUMENTS\b|\$@)|\{\{\{?\s*(?:(?<value>args|ARGUMENTS|arguments)|args\.\[?(?<index>\d+)\]?)\s*\}?\}\}/g;

const CONDITION =
  /\{\{#if\s+(?:args|ARGUMENTS|arguments)\s*\}\}(?<then>[^]*?)(?:\{\{else\}\}(?<otherwise>[^]*?))?\{\{\/if\}\}/g;

/** Arguments that the template does not ask for are added at its end. */
export function fillTemplate(template: string, text: string): string {
  const given = text.trim();
  const args = splitArguments(given);
  let isAsked = false;
  const chosen = template.replace(CONDITION, (_, then: string, otherwise = "") =>
    given === "" ? otherwise : then,
  );
  const filled = chosen.replace(PLACEHOLDER, (...match) => {
    isAsked = true;
    return valueOf(match.at(-1) as Groups, args, given);
  });
  return isAsked || given === "" ? filled : `${filled.trimEnd()}\n\n${given}`;
}

type Groups = Readonly<Record<"start" | "length" | "position" | "index", string | undefined>>;

function valueOf({ start, length, position, index }: Groups, args: string[], given: string) {
  if (position !== undefined) return args[Number(position) - 1] ?? "";
  if (index !== undefined) return args[Number(index)] ?? "";
  if (start === undefined) return given;
  const from = Math.max(Number(start) - 1, 0);
  const to = length === undefined ? undefined : from + Number(length);
  return args.slice(from, to).join(" ");
}
