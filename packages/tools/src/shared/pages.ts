/** Web pages as they were read, so that another part of one costs no request. */

export interface Page {
  readonly url: string;
  /** After redirects. */
  readonly finalUrl: string;
  readonly contentType: string;
  /** How the text was made. */
  readonly method: string;
  readonly notes: readonly string[];
  readonly text: string;
  /** Where all of it is, if only a part was shown. */
  readonly artifactId?: string;
}

export interface Pages {
  find(url: string, isRaw: boolean): Page | undefined;
  keep(page: Page, isRaw: boolean): void;
}

const MAX_PAGES = 40;
/** Of all texts together, in UTF-16 units. */
const MAX_TOTAL = 16 * 1024 * 1024;

export function createPages(): Pages {
  /** The oldest first. */
  const kept = new Map<string, Page>();
  const keyOf = (url: string, isRaw: boolean) => `${isRaw ? "raw" : "rendered"} ${url}`;
  const total = () => kept.values().reduce((sum, { text }) => sum + text.length, 0);
  return {
    find: (url, isRaw) => kept.get(keyOf(url, isRaw)),
    keep(page, isRaw) {
      for (const url of new Set([page.url, page.finalUrl])) {
        kept.delete(keyOf(url, isRaw));
        kept.set(keyOf(url, isRaw), page);
      }
      for (const [oldest, { url }] of kept) {
        if (url === page.url || (kept.size <= MAX_PAGES && total() <= MAX_TOTAL)) break;
        kept.delete(oldest);
      }
    },
  };
}
