/** How a part of something says that there is more. */

export interface ShownRange {
  readonly from: number;
  readonly to: number;
  /** Undefined when nobody counted. */
  readonly total: number | undefined;
}

/** The last line after a blank one, or nothing when the end was shown. */
export function footer({ from, to, total }: ShownRange): string {
  if (to === total) return "";
  const ofTotal = total === undefined ? "" : ` of ${total}`;
  return `\n\n[Showing lines ${from}-${to}${ofTotal}. Use :${to + 1} to continue]`;
}
