/** The words in which a vendor says that it cannot hold a model to so many schemas at once. */

const TOO_STRICT_TEXTS: readonly RegExp[] = [
  /compiled grammar is too large/i,
  /schema is too complex for compilation/i,
  /too many strict tools/i,
  /too many optional parameters.*strict/i,
];

export function isTooStrictText(message: string): boolean {
  return TOO_STRICT_TEXTS.some((pattern) => pattern.test(message));
}
