/** Standard input as prompt text, also when it is not quite text. */

import { UserError } from "@omp/std";
import { note, STDIN, streamKind } from "../headless/streams.ts";

export interface StdinText {
  readonly text: string;
  /** Bytes that were not valid UTF-8 and were replaced. */
  readonly replaced: number;
}

/** Longer than any ordinary producer takes to begin. */
const PATIENCE_MS = 3000;

/** Empty on a terminal and for `< /dev/null`. Stray bytes are replaced and counted; binary data is refused. */
export async function readStdin(): Promise<StdinText> {
  if ((await streamKind(STDIN)) !== "data") return { text: "", replaced: 0 };
  const bytes = await patiently(Bun.stdin.bytes());
  if (bytes.includes(0)) {
    throw new UserError(
      "bad-input",
      `Standard input is binary data (NUL at byte ${bytes.indexOf(0)}). Attach a file with @path instead.`,
    );
  }
  const text = new TextDecoder().decode(bytes);
  return { text, replaced: countReplaced(bytes, text) };
}

function countReplaced(bytes: Uint8Array, text: string): number {
  if (!text.includes("\uFFFD")) return 0;
  const genuine = new TextDecoder("latin1").decode(bytes).split("\u00EF\u00BF\u00BD").length - 1;
  return text.split("\uFFFD").length - 1 - genuine;
}

/** A program that leaves our input open by mistake would wait for ever without a word. */
async function patiently<Value>(reading: Promise<Value>): Promise<Value> {
  const reminder = setTimeout(
    () => note("Reading standard input until its end. For none, use < /dev/null"),
    PATIENCE_MS,
  );
  try {
    return await reading;
  } finally {
    clearTimeout(reminder);
  }
}
