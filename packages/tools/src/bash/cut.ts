/** How a result says that the model does not see all of the output, and where the rest is. Pure. */

import type { OutputSummary } from "@omp/host";

interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The last lines of the text; nothing when the output is complete. */
export function cutNotice(summary: OutputSummary): string {
  const { truncated, cutLines, artifactId } = summary;
  const told: string[] = [];
  if (truncated) told.push(shownPart(summary));
  if (cutLines > 0)
    told.push(cutLines === 1 ? "One long line was cut." : `${cutLines} long lines were cut.`);
  if (told.length === 0) return "";
  if (artifactId !== undefined) told.push(`Full: artifact://${artifactId}`);
  return `\n\n[${told.join(" ")}]`;
}

/** For front ends: what was cut, in counts of the clean output. */
export function cutDetails(summary: OutputSummary): object {
  const { truncated, truncatedBy, cutLines, artifactId } = summary;
  const artifact = artifactId === undefined ? {} : { artifactId };
  const { totalLines, totalBytes, outputLines, outputBytes } = summary;
  const counts = { totalLines, totalBytes, outputLines, outputBytes };
  const meta = {
    ...(truncated && { truncation: { ...ranges(summary), truncatedBy, ...counts, ...artifact } }),
    ...(cutLines > 0 && { limits: { columnTruncated: { lines: cutLines, ...artifact } } }),
  };
  return truncated || cutLines > 0 ? { meta } : {};
}

function shownPart(summary: OutputSummary): string {
  const { totalLines, totalBytes, headLines } = summary;
  const { start, end } = tailRange(summary);
  const head = headLines > 0 ? `1-${headLines} and ` : "";
  return `Showing lines ${head}${start}-${end} of ${totalLines} (${totalBytes} bytes).`;
}

function ranges(summary: OutputSummary): object {
  const { headLines } = summary;
  if (headLines === 0) return { direction: "tail", shownRange: tailRange(summary) };
  const headRange = { start: 1, end: headLines };
  return { direction: "middle", headRange, tailRange: tailRange(summary) };
}

/** Between head and tail stands the mark, a line of its own. */
function tailRange({ totalLines, outputLines, headLines }: OutputSummary): LineRange {
  const tailLines = headLines === 0 ? outputLines : outputLines - headLines - 1;
  return { start: totalLines - tailLines + 1, end: totalLines };
}
