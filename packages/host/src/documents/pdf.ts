/** The text of PDF files, page after page. */

import { messageOf } from "@omp/std";
import { HostError } from "../errors.ts";

const MAX_PAGES = 2000;

export async function pdfText(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const { getDocumentProxy } = await import("unpdf");
  const open = async () => {
    try {
      // It takes the bytes away from whoever gave them, so it gets its own.
      return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    } catch (error) {
      const isEncrypted = error instanceof Error && error.name === "PasswordException";
      const kind = isEncrypted ? "encrypted" : "damaged";
      throw new HostError(kind, isEncrypted ? "it needs a password" : messageOf(error), {
        cause: error,
      });
    }
  };
  const document = await open();
  try {
    const count = Math.min(document.numPages, MAX_PAGES);
    const texts: string[] = [];
    for (let number = 1; number <= count; number++) {
      signal.throwIfAborted();
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      texts.push(`--- Page ${number} ---\n${linesOf(items as readonly TextItem[])}`);
      page.cleanup();
    }
    if (count < document.numPages) texts.push(`--- ${document.numPages - count} more pages ---`);
    return texts.join("\n\n");
  } finally {
    await document.loadingTask.destroy();
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
