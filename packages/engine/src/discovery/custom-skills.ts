/** What the person says about skills beyond the sources: more folders with them, and which of them count. */

import { messageOf } from "@omp/std";
import { resolve } from "node:path";
import type { Found, Level, Warning } from "./item.ts";
import type { Look } from "./look.ts";

export interface SkillSwitches {
  /** More folders with skills: absolute, from `~`, or from the working directory. */
  readonly folders: readonly string[];
  /** Who named them. */
  readonly level: Level;
  /** Patterns of names. */
  readonly ignored: readonly string[];
  /** Patterns of names; empty is all. */
  readonly included: readonly string[];
}

/** Stronger than every source: somebody named the folder. */
const CUSTOM = { source: "custom", sourceName: "custom folder", priority: 1000 };
const SAYS = { description: "required" };
const FILE = "SKILL.md";

export function customSkills(
  { folders, level }: SkillSwitches,
  look: Look,
  warn: (warning: Warning) => void,
): readonly Found[] {
  const { cwd, home } = look.place;
  return folders.flatMap((written) => {
    const place = resolve(cwd, written.replace(/^~(?=\/|$)/, home));
    // A folder that is named from the working directory is in some projects only.
    if (!look.kindOf(place, ".") && !/^[~/]/.test(written)) return [];
    const common = { ...CUSTOM, level, folder: level === "project" ? cwd : place, says: SAYS };
    try {
      const named = look.entries(place).filter(({ name }) => look.kindOf(`${place}/${name}`, FILE));
      return named.map(({ name }) => ({ ...common, name, path: `${place}/${name}/${FILE}` }));
    } catch (error) {
      warn({ place, text: `not used: ${messageOf(error)}` });
      return [];
    }
  });
}

export function isLeftOut(name: string, { ignored, included }: SkillSwitches): boolean {
  const fits = (pattern: string) => new Bun.Glob(pattern).match(name);
  return ignored.some(fits) || (included.length > 0 && !included.some(fits));
}
