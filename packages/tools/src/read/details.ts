/** What front ends and exports are told about a read. */

import type { PageDetails, RenderedPage } from "./page.ts";

export type ReadSource =
  | { readonly type: "path"; readonly value: string }
  | { readonly type: "url"; readonly value: string }
  | { readonly type: "internal"; readonly value: string };

export interface ReadDetails {
  readonly kind: "file" | "url";
  readonly isDirectory?: true;
  readonly resolvedPath?: string;
  /** The path was not there; this one ends like it. */
  readonly suffixResolution?: { readonly from: string; readonly to: string };
  readonly url?: string;
  readonly finalUrl?: string;
  readonly contentType?: string;
  readonly method?: string;
  readonly notes?: readonly string[];
  readonly truncation?: PageDetails;
  readonly displayContent?: RenderedPage["displayContent"];
  readonly summary?: {
    readonly lines: number;
    readonly elidedSpans: number;
    readonly elidedLines: number;
  };
  readonly conflictCount?: number;
  readonly meta: ReadMeta;
}

export interface ReadMeta {
  readonly source: ReadSource;
  readonly truncation?: PageDetails & {
    readonly totalBytes?: number;
    readonly artifactId?: string;
  };
  readonly limits?: { readonly shown: number; readonly total: number };
}

/** The members that tell of a page. */
export function pageDetails(
  { displayContent, shown }: RenderedPage,
  source: ReadSource,
  more: { readonly totalBytes?: number; readonly artifactId?: string } = {},
): Pick<ReadDetails, "truncation" | "displayContent" | "meta"> {
  const isPart = shown !== undefined && (shown.from > 1 || shown.nextLine !== undefined);
  return {
    ...(displayContent && { displayContent }),
    ...(isPart && { truncation: shown }),
    meta: { source, ...(isPart && { truncation: { ...shown, ...more } }) },
  };
}
