/** What an edit would change, while the model is still writing it. Looks and computes; changes nothing. */

import { ToolFailure, type ToolCall } from "@omp/agent";
import { changesBetween } from "./changes.ts";
import { unifiedDiff } from "./diff.ts";
import { EMPTY } from "./file-text.ts";
import { parseInput, type Section } from "./hashline/parse.ts";
import { planSections } from "./hashline/plan.ts";
import type { EditHosts } from "./planned.ts";

/** Of one section. */
export type EditPreview =
  | { readonly path: string; readonly diff: string }
  /** It cannot succeed, whatever else comes. */
  | { readonly path: string; readonly problem: string };

/**
 * @param input as far as it has come
 * @public
 */
export async function previewEdit(
  input: string,
  call: ToolCall,
  hosts: EditHosts,
): Promise<readonly EditPreview[]> {
  const { snapshots } = hosts;
  // What a preview sees was not shown to the model.
  const asIs = { ...hosts, snapshots: { ...snapshots, record: () => "" } };
  const previews: EditPreview[] = [];
  for (const section of wholeSections(input, hosts.editing.payloadSign)) {
    previews.push(await previewSection(section, call, asIs));
  }
  return previews;
}

async function previewSection(
  section: Section,
  call: ToolCall,
  hosts: EditHosts,
): Promise<EditPreview> {
  try {
    const [planned] = await planSections([section], call, hosts);
    const { before, after = EMPTY, regions, shown } = planned!;
    const old = before?.text ?? EMPTY;
    return { path: shown, diff: unifiedDiff(old, after, changesBetween(old, after, regions)) };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { path: section.path, problem: error.message };
  }
}

/** The last line may be half of one, and the last operation may wait for its payload. */
function wholeSections(input: string, sign: string): readonly Section[] {
  const lines = input.split("\n").slice(0, -1);
  for (let count = lines.length; count > 0; count--) {
    try {
      const { sections } = parseInput(lines.slice(0, count).join("\n"), { sign });
      return sections.filter(({ operations }) => operations.length > 0);
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
    }
  }
  return [];
}
