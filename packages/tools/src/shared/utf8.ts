/** Bytes as text, where they are text. */

/** Undefined for what is not UTF-8. */
export function utf8Of(
  bytes: Uint8Array,
  { isOpen = false, keepsMark = false } = {},
): string | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: keepsMark });
  try {
    return decoder.decode(bytes, { stream: isOpen });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
