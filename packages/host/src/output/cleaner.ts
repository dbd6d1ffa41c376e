/** Bytes of a program as clean UTF-8 text, however they are cut: the one sanitizer, passed by where it has nothing to do. */

import { createSanitizer, type Sanitizer } from "@omp/std";
import { createSixelSanitizer } from "./sixel.ts";

export interface Cleaner {
  /** @param isPlain whether these bytes are such that no cleaning would change them */
  push(bytes: Uint8Array, isPlain: boolean): Uint8Array;
  /** The rest. */
  end(): Uint8Array;
}

export function createCleaner({ passesSixel }: { readonly passesSixel: boolean }): Cleaner {
  const decoder = new TextDecoder();
  const sanitizer: Sanitizer = passesSixel ? createSixelSanitizer() : createSanitizer();
  /** No sequence and no character is open, so plain bytes are clean bytes. */
  let isBetween = true;
  /** The last character that passed the sanitizer by, for it judges some by what stands before them. */
  let passedBy: string | undefined;

  const clean = (text: string): string => {
    if (passedBy !== undefined) sanitizer.push(passedBy);
    passedBy = undefined;
    return sanitizer.push(text);
  };

  return {
    push(bytes, isPlain) {
      if (bytes.length === 0) return bytes;
      if (isBetween && isPlain) {
        passedBy = String.fromCharCode(bytes[bytes.length - 1]!);
        return bytes;
      }
      const text = decoder.decode(bytes, { stream: true });
      const cleaned = clean(text);
      // An open sequence would have taken at least one of the plain characters, an open one added one.
      isBetween = isPlain && text.length === bytes.length && cleaned.length === text.length;
      return Buffer.from(cleaned);
    },
    end: () => Buffer.from(clean(decoder.decode()) + sanitizer.end()),
  };
}
