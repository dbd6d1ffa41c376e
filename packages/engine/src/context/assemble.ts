/** The system prompt: blocks and sections in a fixed order, so that providers' caches hit. Pure. */

import type { ContextFile, Rule, Skill } from "../discovery/item.ts";
import base from "./prompts/base.md" with { type: "text" };
import { contextFilesSection, nestedSection } from "./sections/context-files.ts";
import { environmentSection, treeSection, type EnvironmentFacts } from "./sections/environment.ts";
import { alwaysSection, rulebookSection, splitRules } from "./sections/rules.ts";
import { skillsSection } from "./sections/skills.ts";
import { toolsSection } from "./sections/tools.ts";

/** What the person changes. A block replaces the stable instructions, another is added. */
export interface Customs {
  readonly replaced: Custom | undefined;
  readonly appended: Custom | undefined;
}

export interface Custom {
  readonly text: string;
  /** Found in a file, not given by whoever started this run. */
  readonly isFound: boolean;
}

/** What the stable instructions are made of. */
export interface StableParts {
  readonly tools: readonly string[];
  readonly rules: readonly Rule[];
  readonly skills: readonly Skill[];
}

/** What is known about the project and the machine. */
export interface Facts extends EnvironmentFacts {
  readonly files: readonly ContextFile[];
  readonly nested: readonly string[];
  readonly tree: readonly string[];
}

/** Without customs: instructions, facts. With: what replaces them, what is added, facts. */
export function assembleBlocks(
  parts: StableParts,
  facts: string,
  { replaced, appended }: Customs,
): readonly string[] {
  const blocks =
    replaced === undefined
      ? [stableBlock(parts, appended?.text), facts, appended?.text ?? ""]
      : [...withoutRepeats(replaced, appended), facts];
  return blocks.filter((block) => block !== "");
}

function stableBlock({ tools, rules, skills }: StableParts, appended = ""): string {
  const { always, rulebook } = splitRules(rules);
  // Without the tool nothing of it could be read.
  const canRead = tools.includes("read");
  return sections(
    base,
    toolsSection(tools),
    alwaysSection(always, [appended]),
    canRead ? rulebookSection(rulebook) : "",
    canRead ? skillsSection(skills) : "",
  );
}

/** Facts that change from session to session. */
export function factsBlock(facts: Facts): string {
  return sections(
    environmentSection(facts),
    contextFilesSection(facts.files),
    nestedSection(facts.nested),
    treeSection(facts.tree),
  );
}

/** A file whose text stands in the other one is said there. */
function withoutRepeats(replaced: Custom, appended: Custom | undefined): readonly string[] {
  if (!appended || (appended.isFound && replaced.text.includes(appended.text))) {
    return [replaced.text];
  }
  const isRepeated = replaced.isFound && appended.text.includes(replaced.text);
  return isRepeated ? [appended.text] : [replaced.text, appended.text];
}

function sections(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n");
}
