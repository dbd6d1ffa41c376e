/** What kind of image some bytes are, by their first bytes: names lie. */

const SIGNATURES: readonly (readonly [mimeType: string, signature: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
];

const LONGEST_SIGNATURE = 12;

/** The MIME type of an image every vision model reads, or undefined. */
export function imageType(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, LONGEST_SIGNATURE));
  return SIGNATURES.find(([, signature]) => signature.test(head))?.[0];
}
