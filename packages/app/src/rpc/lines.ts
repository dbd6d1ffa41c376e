/** Bytes to lines. Only `\n` ends one, and none is held that is longer than the limit. */

/** `undefined` stands for a line that was too long and is skipped. */
export type Line = Uint8Array | undefined;

const NEWLINE = 0x0a;

export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    else parts = [];
  };
  const take = (): Line => {
    const line = length > maxBytes ? undefined : joined(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (
      let end = chunk.indexOf(NEWLINE);
      end >= 0;
      from = end + 1, end = chunk.indexOf(NEWLINE, from)
    ) {
      add(chunk.subarray(from, end));
      yield take();
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield take();
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}
