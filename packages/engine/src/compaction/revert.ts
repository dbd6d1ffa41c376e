/** Goes back to before a compaction. The summary and all that came after it stay in the tree. */

import { fieldsOf, type SessionEntry, type SessionLog } from "@omp/session";
import { UserError } from "@omp/std";
import { isCompaction } from "./entry-kind.ts";

const REVERTED = "compaction_reverted";

/** The mark keeps the place when the file is opened again. @returns the id of the compaction */
export function revertCompaction(log: SessionLog): string {
  const compaction = log.branch().findLast(isCompaction);
  if (!compaction) throw new UserError("session", "This conversation was never compacted.");
  const { leafId } = log;
  log.moveLeaf(compaction.parentId);
  try {
    log.append({ type: "custom", customType: REVERTED, data: { entryId: compaction.id } });
  } catch (error) {
    log.moveLeaf(leafId);
    throw error;
  }
  return compaction.id;
}

/** The person took the latest one back: nothing but an overflow starts another. @param branch root to leaf */
export function isReverted(branch: readonly SessionEntry[]): boolean {
  const at = branch.findLastIndex(isCompaction);
  return branch
    .slice(at + 1)
    .some((entry) => entry.type === "custom" && fieldsOf(entry).customType === REVERTED);
}
