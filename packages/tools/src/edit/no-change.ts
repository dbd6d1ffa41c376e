/** What is said about an edit that changes nothing, the firmer the more often it comes. */

import { ToolFailure } from "@omp/agent";

export function noChange(shown: string, times: number): ToolFailure {
  const said = `Edits to ${shown} resulted in no changes being made.`;
  if (times === 1) return new ToolFailure(said);
  if (times === 2) {
    return new ToolFailure(
      `${said} The file already holds this text: read it before trying again.`,
    );
  }
  return new ToolFailure(
    `${said} This is the same edit for the ${times}th time. STOP: do not send it again. ` +
      "The file already holds the wanted text; go on with the next step, or say what is in the way.",
  );
}
