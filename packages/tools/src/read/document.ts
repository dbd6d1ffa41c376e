/** Documents and notebooks: the text that is made of them, with the same selectors as for files. */

import { textOutput, type ToolOutput } from "@omp/agent";
import { HostError, type DocumentKind, type Documents, type Files } from "@omp/host";
import { orFailure } from "../shared/failure.ts";
import { pageDetails, type ReadDetails } from "./details.ts";
import { textLines } from "./lines.ts";
import { notebookText } from "./notebook.ts";
import { renderPage, type PageStyle } from "./page.ts";
import type { Target } from "./target.ts";

const MAX_BYTES = 64 * 1024 * 1024;

export async function readDocument(
  target: Target,
  kind: DocumentKind,
  { files, documents }: { readonly files: Files; readonly documents: Documents },
  style: PageStyle,
  signal: AbortSignal,
): Promise<ToolOutput<ReadDetails>> {
  try {
    const bytes = await files.read(target.path, { maxBytes: MAX_BYTES });
    const text = await documents.text(kind, bytes, signal);
    return await converted(text, target, style);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    // The file is there; what cannot be done with it is an answer.
    return textOutput(`[Cannot read .${kind} file: ${error.message}]`, detailsOf(target));
  }
}

export async function readNotebook(
  target: Target,
  files: Files,
  style: PageStyle,
): Promise<ToolOutput<ReadDetails>> {
  const bytes = await orFailure(files.read(target.path, { maxBytes: MAX_BYTES }));
  return converted(notebookText(new TextDecoder().decode(bytes)), target, style);
}

async function converted(
  text: string,
  target: Target,
  style: PageStyle,
): Promise<ToolOutput<ReadDetails>> {
  const page = await renderPage(target.selector, textLines(text), style);
  const totalBytes = Buffer.byteLength(text);
  return textOutput(page.text, {
    ...detailsOf(target),
    ...pageDetails(page, target.source, { totalBytes }),
  });
}

function detailsOf({ path, source }: Target): ReadDetails {
  return { kind: "file", resolvedPath: path, meta: { source } };
}
