/** What a text means for a setting: a person types it, a variable holds it. */

import { ignore } from "@omp/std";
import { fits } from "./fits.ts";

const YES = ["true", "yes", "on", "1"];
const NO = ["false", "no", "off", "0"];

/** A text where the setting takes one, else what it means as YAML; undefined where nothing fits. */
export function typed(text: string, schema: object): unknown {
  const word = text.trim();
  const { type } = schema as { readonly type?: string };
  if (type === "boolean") return truth(word);
  // `10` is a number and `yes` is a text; which of them is meant only the schema knows.
  const readings = [() => word, () => Bun.YAML.parse(word)];
  for (const reading of readings) {
    try {
      const value: unknown = reading();
      if (fits(schema, value)) return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      ignore(error, "then it means nothing of that kind");
    }
  }
  return undefined;
}

function truth(word: string): boolean | undefined {
  const lower = word.toLowerCase();
  if (YES.includes(lower)) return true;
  return NO.includes(lower) ? false : undefined;
}
