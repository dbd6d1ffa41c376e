/** Bytes of a page as text: by what the server says, what the page says, or what is most common. Pure. */

const HEAD_BYTES = 2048;

export function decodePage(bytes: Uint8Array, charset: string | undefined): string {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  const said = markOf(bytes) ?? charset ?? charsetIn(head);
  return decoderOf(said ?? "utf-8").decode(bytes);
}

function markOf([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : undefined;
}

function charsetIn(head: string): string | undefined {
  const [, meta] = /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head) ?? [];
  const [, xml] = /^<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head) ?? [];
  return meta ?? xml;
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label as Bun.Encoding);
  } catch (error) {
    // Nobody knows the name, so it says nothing.
    if (error instanceof RangeError || error instanceof TypeError) return new TextDecoder();
    throw error;
  }
}
