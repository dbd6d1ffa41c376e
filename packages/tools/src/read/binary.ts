/** Files that are not text: how to tell, and what to say instead of their content. */

import { utf8Of } from "../shared/utf8.ts";
import { sizeOf } from "./quantity.ts";

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
  if (isText(head, { isOpen: true })) return undefined;
  const start = String.fromCharCode(...head.subarray(0, 16));
  const type = SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
  const facts = type === undefined ? sizeOf(size) : `${sizeOf(size)}, ${type}`;
  return `[Cannot read binary file '${name}' (${facts}); not valid UTF-8 text. Use ':raw' to read bytes verbatim.]`;
}

export function isDatabase(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 16)).toString("latin1") === "SQLite format 3\0";
}

/** @param isOpen the bytes may end inside a character */
export function isText(bytes: Uint8Array, { isOpen }: { readonly isOpen: boolean }): boolean {
  return !bytes.includes(0) && utf8Of(bytes, { isOpen }) !== undefined;
}
