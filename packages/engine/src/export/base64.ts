/** Base64 of a long text that comes in pieces. */

/** Large enough that the cost per piece does not show; three bytes are four letters, so no piece is padded but the last. */
const BLOCK = 3 * 256 * 1024;

/** Joined, the pieces are the base64 of all texts as one. */
export function* base64Parts(texts: Iterable<string>): Generator<string> {
  const encoder = new TextEncoder();
  const block = new Uint8Array(BLOCK);
  let filled = 0;
  for (const text of texts) {
    const bytes = encoder.encode(text);
    for (let at = 0; at < bytes.length;) {
      const taken = Math.min(bytes.length - at, BLOCK - filled);
      block.set(bytes.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < BLOCK) continue;
      yield block.toBase64();
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled).toBase64();
}
