/** The name that the person gives to the session. */

import { UserError } from "@omp/std";
import type { SessionRoom } from "./room.ts";

export function renameSession({ conversation, hub }: SessionRoom, wanted: string): void {
  const title = wanted.replaceAll(/\s+/g, " ").trim();
  if (title === "") throw new UserError("bad-input", "Session name cannot be empty");
  conversation.log.rename(title, "user");
  hub.publish({ type: "session_title", title });
}
