/** What an exported session consists of, and the names its files get. Pure. */

import type { ToolSchema } from "@omp/ai/schema";
import type { SessionEntry, SessionHeader } from "@omp/session";
import { basename } from "node:path";

export interface SessionContent {
  readonly header: SessionHeader;
  /** All branches, in the order of the file. */
  readonly entries: readonly SessionEntry[];
  readonly leafId: string | null;
}

/** What only a running engine or the files beside a session know. */
export interface ExportExtras {
  readonly systemPrompt?: string;
  readonly tools?: readonly Pick<ToolSchema, "name" | "description" | "parameters">[];
  /** Transcripts of subagents by their name. */
  readonly subagents?: Readonly<Record<string, SessionContent>>;
}

/** These names stand in the page; readers of exported pages depend on them. */
export interface ExportData extends SessionContent, ExportExtras {}

export function exportData(
  header: SessionHeader,
  entries: readonly SessionEntry[],
  leafId: string | null,
  extras: ExportExtras = {},
): ExportData {
  const { systemPrompt, tools, subagents } = extras;
  const hasSubagents = subagents !== undefined && Object.keys(subagents).length > 0;
  return {
    header,
    entries,
    leafId,
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(tools && { tools: tools.map(described) }),
    ...(hasSubagents && { subagents }),
  };
}

/** Without the fields that only requests need. */
function described({ name, description, parameters }: NonNullable<ExportExtras["tools"]>[number]) {
  return { name, description, parameters };
}

/** @param source the session's file, or its id where it has none */
export function defaultName(source: string, ending: "html" | "md" | "json"): string {
  return `omp-session-${basename(source, ".jsonl")}.${ending}`;
}
