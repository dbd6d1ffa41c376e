/** Files that are not text: how to tell, and what to say instead of their content. */

const SIGNATURES: readonly (readonly [type: string, signature: RegExp])[] = [
  ["ELF executable", /^\x7fELF/],
  ["Windows executable", /^MZ/],
  ["Mach-O executable", /^(?:\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe)/],
  ["PDF document", /^%PDF-/],
  ["zip archive", /^PK\x03\x04/],
  ["gzip archive", /^\x1f\x8b/],
  ["SQLite database", /^SQLite format 3\0/],
  ["UTF-16 text", /^(?:\xff\xfe|\xfe\xff)/],
];

/** Undefined for text. Judged by the first bytes. */
export function binaryNotice(
  head: Uint8Array,
  { name, size }: { readonly name: string; readonly size: number },
): string | undefined {
  if (isText(head)) return undefined;
  const start = String.fromCharCode(...head.subarray(0, 16));
  const type = SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
  const facts = type === undefined ? formatSize(size) : `${formatSize(size)}, ${type}`;
  return `[Cannot read binary file '${name}' (${facts}); not valid UTF-8 text. Use ':raw' to read bytes verbatim.]`;
}

function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    // The head may end inside a character, so the end is left open.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  const units = ["KB", "MB", "GB", "TB"];
  const power = Math.min(units.length, Math.floor(Math.log(bytes) / Math.log(1024)));
  return `${(bytes / 1024 ** power).toFixed(1)}${units[power - 1]}`;
}
