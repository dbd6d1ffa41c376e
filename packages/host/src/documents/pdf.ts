/** The text of PDF files, page after page. */

import { messageOf } from "@omp/std";
import { HostError } from "../errors.ts";

const MAX_PAGES = 2000;

export async function pdfText(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const { getDocumentProxy } = await import("unpdf");
  // It takes the bytes away from whoever gave them, so it gets its own.
  const document = await orDamaged(getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }));
  try {
    const count = Math.min(document.numPages, MAX_PAGES);
    const texts: string[] = [];
    for (let number = 1; number <= count; number++) {
      signal.throwIfAborted();
      const page = await orDamaged(document.getPage(number));
      const { items } = await orDamaged(page.getTextContent());
      texts.push(`--- Page ${number} ---\n${linesOf(items as readonly TextItem[])}`);
      page.cleanup();
    }
    if (count < document.numPages) texts.push(`--- ${document.numPages - count} more pages ---`);
    return texts.join("\n\n");
  } finally {
    await document.loadingTask.destroy();
  }
}

/** Whatever the reader of PDF files throws is about the file. */
async function orDamaged<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const isEncrypted = error instanceof Error && error.name === "PasswordException";
    const words = isEncrypted ? "it needs a password" : messageOf(error);
    throw new HostError(isEncrypted ? "encrypted" : "damaged", words, { cause: error });
  }
}

interface TextItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
}

function linesOf(items: readonly TextItem[]): string {
  const text = items.map(({ str = "", hasEOL = false }) => (hasEOL ? `${str}\n` : str)).join("");
  return text.replaceAll(/[ \t]+\n/g, "\n").trim() || "(no text)";
}
