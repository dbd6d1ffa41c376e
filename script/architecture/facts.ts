/** What one source file does, as far as the house rules care: its imports, its habits and its sizes. */

import { parseSync } from "oxc-parser";
import { readHabits, type Habits } from "./habits.ts";
import { readImports, type Import } from "./imports.ts";
import { lineFinder } from "./lines.ts";
import { readSizes, type Sizes } from "./sizes.ts";

export interface Facts {
  /** The file opens by saying what lives there. */
  readonly hasHeader: boolean;
  readonly imports: readonly Import[];
  readonly habits: Habits;
  readonly sizes: Sizes;
  readonly syntaxErrors: readonly string[];
}

/** Parses; matching text would miss an `import()` in a function and find imports in comments. */
export function readFacts(path: string, source: string): Facts {
  const { program, errors } = parseSync(path, source, { sourceType: "module" });
  const lineOf = lineFinder(source);
  return {
    hasHeader: source.replace(/^#!.*\n/, "").startsWith("/**"),
    imports: readImports(program, lineOf),
    habits: readHabits(program, lineOf),
    sizes: readSizes(program, source, lineOf),
    syntaxErrors: errors.map((error) => error.message),
  };
}
