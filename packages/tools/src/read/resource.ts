/** Internal URLs for the read tool: the same selectors as for files. */

import { ToolFailure, type Resource, type Resources } from "@omp/agent";
import type { LineRange, Lines } from "@omp/host";
import { headOf } from "@omp/std";
import { pageText } from "./lines.ts";
import { splitSelector, WHOLE, type Selector } from "./selector.ts";

interface FoundResource {
  readonly resource: Resource;
  /** The URL without the selector. */
  readonly given: string;
  readonly selector: Selector;
}

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

/** For a resource without a file behind it. */
export async function resourceText(resource: Resource, selector: Selector): Promise<string> {
  const text = await resource.text();
  return resource.isExtract ? text : pageText(selector, (range) => linesIn(text, range));
}

function linesIn(text: string, { from, to, maxBytes }: LineRange): Lines {
  const lines = text.split(/(?<=\n)/);
  const total = text === "" ? 0 : lines.length;
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(from - 1, to)) {
    bytes += Buffer.byteLength(line);
    if (bytes > maxBytes) break;
    shown.push(line);
  }
  const first = lines[from - 1];
  const isLineCut = shown.length === 0 && first !== undefined && first !== "";
  const part = isLineCut ? headOf(first, maxBytes) : shown.join("");
  return { bytes: Buffer.from(part), count: shown.length, total, isLineCut };
}
