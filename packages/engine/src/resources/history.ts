/** `history://<id>`: an entry of the session as it was, also when a summary stands in its place; `history://` lists them. */

import { ToolFailure } from "@omp/agent";
import { entryText, fieldsOf, isRecord, type SessionEntry, type SessionLog } from "@omp/session";
import type { Scheme } from "./scheme.ts";

const MAX_LINE = 100;

export function historyScheme(log: (() => SessionLog) | undefined): Scheme {
  return {
    async find({ host, path }) {
      if (!log) throw new ToolFailure("No session - history unavailable");
      const id = path === "" ? host : `${host}/${path}`;
      const text = id === "" ? listing(log().branch()) : whole(id, log());
      return { contentType: "text/plain", isWhole: id !== "", text: () => Promise.resolve(text) };
    },
  };
}

function whole(id: string, log: SessionLog): string {
  const entry = log.entry(id);
  const text = entry && textIn(entry);
  if (text === undefined)
    throw new ToolFailure(`No entry ${id} has a text. Read history:// for a list.`);
  return text;
}

/** All of it; what can be searched has a limit. */
function textIn(entry: SessionEntry): string | undefined {
  const { message, content, summary } = fieldsOf(entry);
  if (typeof summary === "string") return summary;
  const said = isRecord(message) ? message.content : content;
  if (typeof said === "string") return said;
  if (Array.isArray(said)) return said.filter(isRecord).map(blockText).join("\n");
  return entryText(fieldsOf(entry))?.text;
}

function blockText(block: Readonly<Record<string, unknown>>): string {
  const { type, text, thinking, name } = block;
  if (typeof text === "string") return text;
  if (typeof thinking === "string") return `[thought] ${thinking}`;
  if (type === "toolCall") return `[calls ${String(name)}] ${JSON.stringify(block.arguments)}`;
  return `[${String(type)}]`;
}

function listing(branch: readonly SessionEntry[]): string {
  const lines = branch.flatMap((entry) => {
    const found = entryText(fieldsOf(entry));
    if (!found) return [];
    const line = found.text.replace(/\s+/g, " ").trim();
    const short = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}...` : line;
    return `${entry.id}  ${found.role}: ${short}`;
  });
  return lines.join("\n") || "(empty session)";
}
