/** Rules for a single file: it says what it is, has a name that means something, and keeps to its own deeds. */

import type { Architecture } from "../architecture.ts";
import type { Habit } from "./habits.ts";
import { isWithin, type SourceFile, type Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

export function checkManners(tree: Tree, map: Architecture): Violation[] {
  return [...tree.files.values()].flatMap((file) => [
    ...checkForm(file),
    ...(file.kind === "source" ? [...checkNames(file), ...checkDeeds(file, map)] : []),
  ]);
}

const vagueFile = /(^|[-.])(utils?|helpers?|common|misc|managers?|controllers?|services?)$/;
const vagueName = /(Utils?|Helpers?|Managers?|Controllers?|Services?)$/;

function checkForm({ path, facts }: SourceFile): Violation[] {
  const broken: Violation[] = facts.syntaxErrors.map((detail) => ({
    file: path,
    rule: "syntax",
    detail,
  }));
  // The names of its tests say what a test file is about.
  if (!facts.hasHeader && !/\.test\.tsx?$/.test(path)) {
    broken.push({
      file: path,
      line: 1,
      rule: "header",
      detail: "open with one /** … */ line that says what lives here",
    });
  }
  const names = path.replace(/(\.test)?\.tsx?$/, "").split("/");
  if (names.some((name) => vagueFile.test(name))) {
    broken.push({ file: path, rule: "name", detail: "name the thing, not its shelf" });
  }
  return broken;
}

function checkNames({ path, facts }: SourceFile): Violation[] {
  return facts.habits.declares
    .filter(({ what }) => vagueName.test(what))
    .map(({ what, line }) => ({
      file: path,
      line,
      rule: "name",
      detail: `${what}: name the thing, not its shelf`,
    }));
}

function checkDeeds({ path, address, facts }: SourceFile, map: Architecture): Violation[] {
  const rules: Partial<
    Record<Habit, { readonly allowed: readonly string[]; readonly instead: string }>
  > = {
    ...map.deeds,
    enum: { allowed: [], instead: "use a union of strings" },
    "export-all": { allowed: [], instead: "name what is exported" },
  };
  return Object.entries(rules).flatMap(([rule, { allowed, instead }]) => {
    if (allowed.some((place) => isWithin(address, place))) return [];
    return facts.habits[rule as Habit].map(({ what, line }) => ({
      file: path,
      line,
      rule,
      detail: `${what}: ${instead}`,
    }));
  });
}
