/** Text files: with anchors where edits can use them, page by page where they are huge. */

import { textOutput, type ToolOutput } from "@omp/agent";
import type { Files } from "@omp/host";
import { headerOf, shownPath } from "../shared/anchored.ts";
import type { Snapshots } from "../shared/snapshots.ts";
import { utf8Of } from "../shared/utf8.ts";
import { pageDetails, type ReadDetails } from "./details.ts";
import { fileLines, textLines } from "./lines.ts";
import { renderPage, type PageStyle } from "./page.ts";
import { summaryOf, type SummaryRules } from "./summary.ts";
import type { Target } from "./target.ts";

export interface TextHosts {
  readonly files: Files;
  readonly snapshots: Snapshots;
  readonly showsAnchors: boolean;
  readonly summary: SummaryRules;
}

/** Larger files are never loaded whole, so nobody can say what all of them is. */
const MAX_ANCHORED_BYTES = 8 * 1024 * 1024;
const NO_ANCHORS =
  "\n\n[No anchors: the file is larger than 8 MB or not all UTF-8, so edit cannot change it by line]";

export async function readText(
  target: Target,
  cwd: string,
  hosts: TextHosts,
  style: PageStyle,
): Promise<ToolOutput<ReadDetails>> {
  const { path, stat, selector, source, suffixResolution } = target;
  const about = {
    kind: "file",
    resolvedPath: path,
    ...(suffixResolution && { suffixResolution }),
  } as const;
  const totalBytes = stat.size;
  const text = selector.isRaw ? undefined : await wholeText(target, hosts);
  if (text === undefined) {
    const lines = fileLines(path, hosts.files, selector);
    const page = await renderPage(selector, lines, style);
    const isMissed = hosts.showsAnchors && target.isMutable && !selector.isRaw && page.shown;
    const note = isMissed ? NO_ANCHORS : "";
    return textOutput(page.text + note, { ...about, ...pageDetails(page, source, { totalBytes }) });
  }
  const isAnchored = hosts.showsAnchors && target.isMutable;
  const header = isAnchored ? headerFor(target, cwd, text, hosts.snapshots) : "";
  const rows = { ...style, isNumbered: isAnchored || style.isNumbered };
  const summary = await summaryOf(target, text, hosts.summary, rows);
  if (summary) {
    const details = { ...about, summary: summary.counts, meta: { source } };
    return textOutput(header + summary.text, details);
  }
  const page = await renderPage(selector, textLines(text.replace(/^\ufeff/, "")), rows);
  // A file without lines has none to name, and a line that is not there neither.
  const shown = page.shown ? header + page.text : page.text;
  return textOutput(shown, { ...about, ...pageDetails(page, source, { totalBytes }) });
}

/** Undefined where lines are better read one page at a time. */
async function wholeText(
  { path, stat, isMutable }: Target,
  { files, showsAnchors, summary }: TextHosts,
): Promise<string | undefined> {
  const isNeeded = (showsAnchors && isMutable) || summary.enabled;
  if (!isNeeded || stat.size > MAX_ANCHORED_BYTES) return undefined;
  return utf8Of(await files.read(path), { keepsMark: true });
}

function headerFor(
  { given, path, source }: Target,
  cwd: string,
  text: string,
  snapshots: Snapshots,
) {
  const name = source.type === "internal" ? given : shownPath(path, cwd);
  return `${headerOf(name, snapshots.record(path, text))}\n`;
}
