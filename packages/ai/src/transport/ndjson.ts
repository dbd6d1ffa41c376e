/** JSON lines: bytes in, one frame for each line. */

import { ProviderError } from "../schema/fault.ts";
import type { Frame } from "./frame.ts";

/** A line longer than this is not an answer but an accident or an attack. */
const MAX_LINE_CHARACTERS = 32 * 1024 * 1024;

/** Empty lines are passed over. A last line that nobody ended counts only when it is whole. */
export async function* ndjsonFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    const rest = lines.pop() ?? "";
    for (const line of lines) {
      // A long line comes in many chunks: joined once, at its end, it costs its length and no more.
      const data = begun.length === 0 ? line : begun.join("") + line;
      begun = [];
      length = 0;
      if (data.trim() !== "") yield { data };
    }
    if (rest === "") continue;
    begun.push(rest);
    length += rest.length;
    if (length > MAX_LINE_CHARACTERS) {
      throw new ProviderError({ kind: "malformed" }, "The answer has no end of line");
    }
  }
  const data = begun.join("") + decoder.decode();
  if (isWhole(data)) yield { data };
}

function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
