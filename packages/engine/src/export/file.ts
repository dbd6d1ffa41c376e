/** Exports a session file without opening the session: nothing is changed, no model is asked. */

import { createFiles } from "@omp/host";
import { BlobStore } from "@omp/session";
import { join } from "node:path";
import { pathsOf, type Environment } from "../paths.ts";
import { readSession, readSubagents } from "./collect.ts";
import { defaultName, exportData } from "./data.ts";
import { htmlParts, loadTemplate } from "./html.ts";
import { writeExport } from "./write.ts";

export interface ExportFileOptions {
  /** The session file, as the person wrote it. */
  readonly input: string;
  /** By default a file named after the session, in the working directory. */
  readonly output?: string | undefined;
  readonly cwd: string;
  readonly home: string;
  readonly environment: Environment;
}

/**
 * @returns the path of the page
 * @throws UserError `File not found: <path>`
 */
export async function exportSessionFile(options: ExportFileOptions): Promise<string> {
  const { input, output, cwd, home, environment } = options;
  const files = createFiles({ home });
  const blobs = new BlobStore(join(pathsOf(environment, home).agent, "blobs"));
  const path = files.resolve(input, cwd);
  const { header, entries, leafId } = await readSession(path, blobs);
  const subagents = await readSubagents(path, blobs);
  const data = exportData(header, entries, leafId, { subagents });
  const target = files.resolve(output ?? defaultName(path, "html"), cwd);
  await writeExport(target, htmlParts(await loadTemplate(), data));
  return target;
}
