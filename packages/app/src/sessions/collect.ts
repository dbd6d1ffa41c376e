/** `omp sessions gc`: what nobody needs any more; nothing is removed without --yes. */

import type { Sessions, Waste } from "@omp/engine/boot";
import { UserError } from "@omp/std";
import type { Report, Wish } from "./verb.ts";
import { plural, size } from "./words.ts";

export async function collect(sessions: Sessions, { words, isYes }: Wish): Promise<Report> {
  if (words.length > 0) throw new UserError("misuse", `omp sessions gc takes no "${words[0]}"`);
  const { waste, obstacles } = sessions.findWaste();
  const removed = isYes ? sessions.removeWaste(waste) : [];
  const shown = isYes ? removed : waste;
  const bytes = shown.reduce((sum, one) => sum + one.bytes, 0);
  const verb = isYes ? "removed" : "can be removed";
  return {
    text: shown.map(textOf).join(""),
    json: { waste, removed, obstacles },
    notes: [
      ...obstacles.map((obstacle) => `warning: ${obstacle}`),
      ...(obstacles.length > 0 ? [BLOBS_ARE_KEPT] : []),
      `${plural(shown.length, "thing")} ${verb}, ${size(bytes)}.`,
      ...(!isYes && waste.length > 0 ? ["Nothing was removed: --yes does it."] : []),
    ],
  };
}

const BLOBS_ARE_KEPT =
  "All blobs are kept, since what cannot be read may name them. A folder that is gone for good can be taken out of the file session-folders.";

const MEANINGS: Readonly<Record<Waste["kind"], string>> = {
  blob: "blob that no session names",
  "empty-session": "session in which nothing was said",
  "stale-lock": "lock of a process that is gone",
  "orphan-artifacts": "artifacts of a session that is gone",
  leftover: "file of a write that never ended",
};

function textOf({ kind, path, bytes }: Waste): string {
  return `${path}  ${size(bytes)}  ${MEANINGS[kind]}\n`;
}
