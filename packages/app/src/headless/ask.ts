/** Questions to a person at a terminal, before there is a screen: asked on standard error, answered by a line. */

import type { UiPort } from "@omp/engine/protocol";
import { prompt, STDERR, STDIN, streamKind } from "./streams.ts";

/** Confirmations are asked where a person can answer; everything else gets the answer of `ui`. */
export function askingUi(ui: UiPort): UiPort {
  return {
    ...ui,
    async request(request, signal) {
      if (request.kind !== "confirm" || !(await canAsk())) return ui.request(request, signal);
      const answer = await askLine(`${request.title}. ${request.message} [y/N] `);
      return { kind: "confirm", accepted: /^y(es)?$/i.test(answer?.trim() ?? "") };
    },
  };
}

/** Whether somebody sees the question and can type the answer. */
export async function canAsk(): Promise<boolean> {
  const [input, errors] = await Promise.all([streamKind(STDIN), streamKind(STDERR)]);
  return input === "terminal" && errors === "terminal";
}

/** Undefined when the input ends instead of an answer. */
export async function askLine(question: string): Promise<string | undefined> {
  prompt(question);
  const reader = Bun.stdin.stream().getReader();
  try {
    const decoder = new TextDecoder();
    let line = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return line === "" ? undefined : line;
      line += decoder.decode(value, { stream: true });
      const end = line.indexOf("\n");
      if (end >= 0) return line.slice(0, end);
    }
  } finally {
    reader.releaseLock();
  }
}
