/** Print mode: the answers on standard output, and nothing else there. */

import { sanitize } from "@omp/std";
import type { PrintClient } from "./client.ts";
import { note, STDOUT, streamKind } from "../headless/streams.ts";
import type { Output } from "../headless/output.ts";

export async function createTextClient(
  output: Output,
  { printsThoughts }: { printsThoughts: boolean },
): Promise<PrintClient> {
  // A terminal gets sanitized text; a file or a program gets the model's text as it is.
  const clean = (await streamKind(STDOUT)) === "terminal" ? sanitize : (text: string) => text;
  const print = (text: string) => {
    if (text !== "") output.write(clean(text.endsWith("\n") ? text : `${text}\n`));
  };
  return {
    start: () => note("Working..."),
    event(event) {
      if (event.type === "auto_retry_start") {
        const seconds = (event.delayMs / 1000).toFixed(1);
        note(
          `${event.errorMessage}\nRetrying (${event.attempt}/${event.maxAttempts}) in ${seconds}s...`,
        );
      }
      if (event.type === "notice") note(`${event.level}: ${event.text}`);
    },
    answer(result) {
      if (printsThoughts) print(result.thinking);
      print(result.text);
    },
  };
}
