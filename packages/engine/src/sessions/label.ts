/** The name of a point in the session. Each change is an entry; the last one counts. */

import { UserError } from "@omp/std";
import type { SessionRoom } from "./room.ts";

export function setLabel({ conversation }: SessionRoom, entryId: string, label: string): void {
  const { log } = conversation;
  if (!log.entry(entryId)) {
    throw new UserError("bad-input", `There is no entry ${entryId} in this session.`);
  }
  log.setLabel(entryId, label.trim() || undefined);
}
