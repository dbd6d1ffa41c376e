/** The commands that give a session away. None of them adds an entry. */

import type { Files } from "@omp/host";
import { BlobStore, type SessionLog } from "@omp/session";
import { ignore, UserError } from "@omp/std";
import { join } from "node:path";
import type { HandlersOf } from "../protocol/command.ts";
import type { ExportCommands, ShareResult } from "../protocol/commands/export.ts";
import type { Snapshot } from "../protocol/snapshot.ts";
import { readSubagents, withPictures } from "./collect.ts";
import { defaultName, exportData, type ExportData } from "./data.ts";
import { dumpText } from "./dump.ts";
import { htmlParts, loadTemplate } from "./html.ts";
import { jsonParts } from "./json.ts";
import { markdownParts } from "./markdown.ts";
import { shareSession, type ShareDeps } from "./share.ts";
import { writeExport } from "./write.ts";

export interface ExportDeps extends ShareDeps {
  readonly files: Pick<Files, "resolve">;
  readonly conversation: { readonly log: SessionLog };
  /** Ends a share when the engine goes down. */
  readonly closing: AbortSignal;
  snapshot(): Pick<Snapshot, "systemPrompt" | "tools" | "model" | "thinkingLevel">;
}

interface Sharing {
  readonly abort: AbortController;
  readonly ended: Promise<unknown>;
}

export function createExportHandlers(deps: ExportDeps): HandlersOf<ExportCommands> {
  const { conversation, files } = deps;
  let sharing: Sharing | undefined;

  const write = async (
    path: string | undefined,
    ending: "html" | "md" | "json",
    parts: Iterable<string>,
  ) => {
    const { log } = conversation;
    const target = files.resolve(path ?? defaultName(log.path ?? log.header.id, ending), deps.cwd);
    await writeExport(target, parts);
    return { path: target };
  };

  return {
    async export_html({ path }) {
      const data = await pageData(deps);
      const written = await write(
        path,
        "html",
        htmlParts(await loadTemplate(), data, deps.theme()),
      );
      deps.opener?.open(written.path);
      return written;
    },
    async export_markdown({ path }) {
      return write(path, "md", markdownParts(storedData(deps)));
    },
    async export_json({ path }) {
      return write(path, "json", jsonParts(storedData(deps)));
    },
    async dump_text() {
      return dumpText(conversation.log.branch(), deps.snapshot());
    },
    async share_session() {
      if (sharing) throw new UserError("busy", "The session is being shared already.");
      const abort = new AbortController();
      const ended: Promise<ShareResult> = pageData(deps).then((data) =>
        shareSession(data, deps, AbortSignal.any([abort.signal, deps.closing])),
      );
      sharing = { abort, ended };
      try {
        return await ended;
      } finally {
        sharing = undefined;
      }
    },
    async abort_share() {
      sharing?.abort.abort();
      await sharing?.ended.catch((error) => ignore(error, "whoever shares hears of it"));
    },
  };
}

/** Also what the running engine knows and what lies beside the file. */
async function pageData(deps: ExportDeps): Promise<ExportData> {
  const { path } = deps.conversation.log;
  if (path === undefined) {
    throw new UserError("session", "Cannot export in-memory session to HTML");
  }
  const { systemPrompt, tools } = deps.snapshot();
  const { header, entries, leafId } = storedData(deps);
  const subagents = await readSubagents(path, blobsOf(deps));
  return exportData(header, entries, leafId, { systemPrompt, tools, subagents });
}

/** A copy of the list: the run goes on while it is written. */
function storedData(deps: ExportDeps): ExportData {
  const { header, entries, leafId } = deps.conversation.log;
  return withPictures({ header, entries: [...entries], leafId }, blobsOf(deps));
}

function blobsOf({ agentDir }: ExportDeps): BlobStore {
  return new BlobStore(join(agentDir, "blobs"));
}
