/** Internal URLs for the read tool: the same selectors as for files. */

import {
  textOutput,
  ToolFailure,
  type Resource,
  type Resources,
  type ToolOutput,
} from "@omp/agent";
import type { Files } from "@omp/host";
import { orFailure } from "../shared/failure.ts";
import { pageDetails, type ReadDetails } from "./details.ts";
import { textLines } from "./lines.ts";
import { renderPage, type PageStyle } from "./page.ts";
import { splitSelector, WHOLE, type Selector } from "./selector.ts";
import type { Target } from "./target.ts";

export interface FoundResource {
  readonly resource: Resource;
  /** The URL without the selector. */
  readonly given: string;
  readonly selector: Selector;
}

/** More than this is not shown as it is, whole. */
const MAX_RAW_BYTES = 50 * 1024;

export async function resourceAt(
  url: string,
  resources: Resources,
  signal: AbortSignal,
): Promise<FoundResource> {
  const { path: given, selector } = splitSelector(url) ?? { path: url, selector: WHOLE };
  const resource = await resources.find(given, signal);
  if (resource.isExtract && given !== url) {
    throw new ToolFailure("Cannot combine query extraction with line selectors");
  }
  return { resource, given, selector };
}

/** For a resource with a file behind it. */
export async function resourceTarget(
  { resource, given, selector }: FoundResource,
  path: string,
  files: Files,
): Promise<Target> {
  const stat = await orFailure(files.stat(path));
  const source = { type: "internal", value: given } as const;
  const { isMutable = false, isWhole = false } = resource;
  const isUnbounded = selector.isRaw && selector.spans.length === 0 && !isWhole;
  if (!isMutable && isUnbounded && stat.size > MAX_RAW_BYTES) {
    throw new ToolFailure(
      `${given} has ${stat.size} bytes, too many to show raw at once. Read a range, as in ${given}:raw:1-300, or use the file ${path}.`,
    );
  }
  return { given, path, stat, selector, source, isMutable, isWhole };
}

/** For a resource without one. */
export async function resourceText(
  { resource, given, selector }: FoundResource,
  style: PageStyle,
): Promise<ToolOutput<ReadDetails>> {
  const text = await resource.text();
  const source = { type: "internal", value: given } as const;
  if (resource.isExtract) return textOutput(text, { kind: "file", meta: { source } });
  const page = await renderPage(selector, textLines(text), wholeStyle(style, resource));
  const details = pageDetails(page, source, { totalBytes: Buffer.byteLength(text) });
  return textOutput(page.text, { kind: "file", ...details });
}

/** What is shown whole has no limits of its own, only those that hold for everything. */
export function wholeStyle(
  style: PageStyle,
  { isWhole }: { readonly isWhole?: boolean },
): PageStyle {
  return isWhole ? { ...style, defaultLimit: Number.POSITIVE_INFINITY, maxColumns: 0 } : style;
}
